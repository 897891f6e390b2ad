import { JsonSyntaxError, walkJson } from './json-walk.js';
import { PathTracker } from './path-tracker.js';

/** Where a value stands in a JSON text: 0-based code units, `end` exclusive. */
export interface ValueRange {
  /** Where the member's name begins; the same as `start` for an element and for the whole document. */
  readonly memberStart: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Finds the value at a path; of repeated members the last, which is the one that parsers read. Undefined when
 * there is none, or the text is no JSON.
 */
export function locateValue(raw: string, path: readonly (string | number)[]): ValueRange | undefined {
  const locator = new Locator(path.map(String));
  try {
    walkJson(raw, locator);
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      return undefined;
    }
    throw error;
  }
  return locator.found;
}

class Locator extends PathTracker {
  found: ValueRange | undefined;
  private memberStart = 0;
  private begun: { readonly memberStart: number; readonly start: number } | undefined;

  constructor(private readonly target: readonly string[]) {
    super();
  }

  override name(name: string, start: number): void {
    super.name(name, start);
    this.memberStart = start;
  }

  override string(value: string, start: number, end: number): void {
    super.string(value, start, end);
    this.endValue(end);
  }

  override number(text: string, start: number, end: number): void {
    super.number(text, start, end);
    this.endValue(end);
  }

  override literal(value: null | boolean, start: number, end: number): void {
    super.literal(value, start, end);
    this.endValue(end);
  }

  override closeObject(end: number): void {
    super.closeObject(end);
    this.endValue(end);
  }

  override closeArray(end: number): void {
    super.closeArray(end);
    this.endValue(end);
  }

  protected override beginValue(start: number): void {
    super.beginValue(start);
    if (!this.isOnTheWay()) {
      return;
    }
    // A later member of the same name replaces all that an earlier one held.
    this.found = undefined;
    if (this.path.length === this.target.length) {
      const isElement = typeof this.path.at(-1) !== 'string';
      this.begun = { memberStart: isElement ? start : this.memberStart, start };
    }
  }

  private endValue(end: number): void {
    if (this.begun !== undefined && this.path.length === this.target.length) {
      this.found = { ...this.begun, end };
      this.begun = undefined;
    }
  }

  private isOnTheWay(): boolean {
    const { path, target } = this;
    return path.length <= target.length && path.every((segment, depth) => String(segment) === target[depth]);
  }
}
