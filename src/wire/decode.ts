import { isUtf8 } from 'node:buffer';
import { classify } from './classify.js';
import { type ExactDocument, type ExactJson, isLosslessReading, parseExact } from './exact-json.js';
import type { Frame, Message } from './frame.js';
import { JsonSyntaxError } from './json-walk.js';
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

class DecodedFrame implements Frame {
  readonly value: unknown;
  readonly message: Message;
  private reading: ExactDocument | undefined;

  constructor(readonly raw: string) {
    try {
      this.value = JSON.parse(raw);
    } catch {
      this.value = undefined;
      this.message = { kind: 'invalid', problem: describeSyntaxError(raw) };
      return;
    }
    this.message = classify(this.value, () => this.exact?.value);
  }

  get exact(): ExactDocument | undefined {
    if (this.value === undefined) {
      return undefined;
    }
    this.reading ??= isLosslessReading(this.raw, this.value)
      ? { value: this.value as ExactJson, repeatedMembers: [] }
      : parseExact(this.raw);
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
  if (raw.startsWith('\uFEFF')) {
    return 'not JSON: the line begins with a byte-order mark';
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
