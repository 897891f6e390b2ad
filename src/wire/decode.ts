import { isUtf8 } from 'node:buffer';
import { classify } from './classify.js';
import { type ExactDocument, type ExactJson, isLosslessReading, parseExact } from './exact-json.js';
import type { Frame, Message } from './frame.js';
import { JsonSyntaxError } from './json-walk.js';
import { isNestedBeyond, NESTING_LIMIT } from './nesting.js';
import { firstInvalidUtf8 } from './utf8.js';

/**
 * Decodes one line, given without its LF. Never throws: what is wrong is in `message` and `invalidUtf8At`.
 * Invalid bytes read as U+FFFD; a byte-order mark and NULs stay in `raw`; a trailing CR stays in `raw` and is
 * white space to the parser.
 */
export function decodeFrame(line: Uint8Array | string): Frame {
  if (typeof line === 'string') {
    return new DecodedFrame(line);
  }
  const raw = Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('utf8');
  return isUtf8(line) ? new DecodedFrame(raw) : new UndecodableFrame(raw, firstInvalidUtf8(line));
}

/**
 * `decodeFrame` for a line that a server wrote. The documents do not say what a byte-order mark before a frame means,
 * so it is read past; `raw` keeps it.
 */
export function decodeServerFrame(line: Uint8Array | string): Frame {
  const frame = decodeFrame(line);
  const isMarked =
    frame.value === undefined && frame.raw.startsWith(MARK) && frame.invalidUtf8At === undefined;
  return isMarked ? new DecodedFrame(frame.raw, frame.raw.slice(MARK.length)) : frame;
}

const MARK = '\uFEFF';

class DecodedFrame implements Frame {
  readonly value: unknown;
  readonly message: Message;
  private reading: ExactDocument | undefined;

  constructor(
    readonly raw: string,
    private readonly text: string = raw,
  ) {
    try {
      this.value = isNestedBeyond(text) ? undefined : JSON.parse(text);
    } catch {
      this.value = undefined;
    }
    if (this.value === undefined) {
      this.message = { kind: 'invalid', problem: describeSyntaxError(text) };
      return;
    }
    this.message = classify(this.value, () => this.exact?.value);
  }

  get exact(): ExactDocument | undefined {
    if (this.value === undefined) {
      return undefined;
    }
    this.reading ??= isLosslessReading(this.text, this.value)
      ? { value: this.value as ExactJson, repeatedMembers: [] }
      : parseExact(this.text);
    return this.reading;
  }
}

class UndecodableFrame extends DecodedFrame {
  constructor(
    raw: string,
    readonly invalidUtf8At: number,
  ) {
    super(raw);
  }
}

function describeSyntaxError(raw: string): string {
  if (raw.trim() === '') {
    return 'not JSON: the line is empty';
  }
  if (raw.startsWith(MARK)) {
    return 'not JSON: the line begins with a byte-order mark';
  }
  if (isNestedBeyond(raw)) {
    return `not JSON that can be read: it is nested more than ${NESTING_LIMIT} deep`;
  }
  try {
    parseExact(raw);
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      return `not JSON: ${error.message}`;
    }
  }
  return 'not JSON';
}
