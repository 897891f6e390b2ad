import type { RequestId } from '../wire/frame.js';
import { JsonSyntaxError, walkJson } from '../wire/json-walk.js';
import { PathTracker } from '../wire/path-tracker.js';

/** The id of a request of which only the beginning is there; undefined when it does not reach that far. */
export function recoverId(prefix: Buffer): RequestId | undefined {
  const text = prefix.toString('utf8');
  const finder = new IdFinder(text.length);
  try {
    walkJson(text, finder);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  return finder.id;
}

class IdFinder extends PathTracker {
  id: RequestId | undefined;

  constructor(private readonly length: number) {
    super();
  }

  override string(value: string, start: number, end: number): void {
    super.string(value, start, end);
    if (this.#isId()) this.id = value;
  }

  override number(text: string, start: number, end: number): void {
    super.number(text, start, end);
    // A number at the cut may have gone on.
    if (this.#isId() && end < this.length && Number.isSafeInteger(Number(text))) this.id = Number(text);
  }

  #isId(): boolean {
    return this.path.length === 1 && this.path[0] === 'id';
  }
}
