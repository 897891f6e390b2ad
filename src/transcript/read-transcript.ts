import { isAscii, isUtf8 } from 'node:buffer';
import { type LineEvent, LineSplitter } from '../wire/line-splitter.js';
import { InputError, unreadable } from './errors.js';
import { openInput } from './open-input.js';
import { parseLine, parseLineText } from './parse-line.js';
import type { Step } from './scenario.js';

/** Longest accepted line: a frame of the default limit, every byte of it escaped six-fold, fits. */
export const TRANSCRIPT_LINE_LIMIT_BYTES = 64 * 1024 * 1024;

const CHUNK_BYTES = 256 * 1024;

export interface ReadTranscriptOptions {
  /** Default `TRANSCRIPT_LINE_LIMIT_BYTES`. */
  readonly lineLimitBytes?: number;
}

/**
 * The steps of a transcript, in order, in constant memory. CRLF line ends, a missing last line end, empty lines and
 * a byte-order mark at the start are accepted. Throws `InputError` with file, line and column at the first line that
 * is no step, after the steps before it, and when the file holds none at all.
 */
export async function* readTranscript(
  path: string,
  options: ReadTranscriptOptions = {},
): AsyncGenerator<Step> {
  for await (const batch of readTranscriptBatches(path, options)) {
    yield* batch;
  }
}

/** `readTranscript` in batches of as many steps as one read gave: cheaper where there are very many. */
export async function* readTranscriptBatches(
  path: string,
  options: ReadTranscriptOptions = {},
): AsyncGenerator<readonly Step[]> {
  const reader = new StepReader(path, options.lineLimitBytes ?? TRANSCRIPT_LINE_LIMIT_BYTES);
  for await (const chunk of chunksOf(path)) {
    const batch = reader.push(chunk);
    if (batch.length > 0) {
      yield batch;
    }
    reader.throwIfFailed();
  }
  const rest = reader.end();
  if (rest.length > 0) {
    yield rest;
  }
  reader.throwIfFailed();
}

/** Each chunk is overwritten by the next one. */
async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  const handle = await openInput(path);
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  try {
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) {
        return;
      }
      yield buffer.subarray(0, bytesRead);
    }
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    await handle.close();
  }
}

class StepReader {
  private readonly splitter: LineSplitter;
  private line = 0;
  /** Of the current line's first byte in the file. */
  private byteOffset = 0;
  private steps = 0;
  private failure: unknown;

  constructor(
    private readonly file: string,
    private readonly lineLimitBytes: number,
  ) {
    this.splitter = new LineSplitter({ capBytes: lineLimitBytes });
  }

  /** The chunk’s memory is not used after the call. */
  push(chunk: Buffer): Step[] {
    const steps: Step[] = [];
    this.noting(() => this.readChunk(chunk, steps));
    this.steps += steps.length;
    return steps;
  }

  end(): Step[] {
    const last: Step[] = [];
    this.noting(() => this.readEvents(this.splitter.end(), last));
    this.steps += last.length;
    if (this.steps === 0 && this.failure === undefined) {
      this.failure = new InputError(
        { file: this.file, line: Math.max(this.line, 1), column: 1 },
        'the transcript is empty; expected one {"dir": ..., "raw": ...} object on each line',
      );
    }
    return last;
  }

  throwIfFailed(): void {
    if (this.failure !== undefined) {
      throw this.failure;
    }
  }

  /** Steps up to the first bad line are kept; the reader has then failed. */
  private noting(read: () => void): void {
    try {
      read();
    } catch (error) {
      this.failure = error;
    }
  }

  /**
   * The lines that lie whole within the chunk are cut from its text, which is decoded at once; only the line that it
   * continues and the one that it leaves unfinished need the splitter.
   */
  private readChunk(chunk: Buffer, steps: Step[]): void {
    const first = chunk.indexOf(LF) + 1;
    const last = chunk.lastIndexOf(LF) + 1;
    const whole = chunk.subarray(first, last);
    if (chunk.length > this.lineLimitBytes || !isUtf8(whole)) {
      this.readEvents(this.splitter.push(chunk), steps);
      return;
    }
    this.readEvents(this.splitter.push(chunk.subarray(0, first)), steps);
    this.readText(isAscii(whole) ? whole.toString('latin1') : whole.toString('utf8'), steps);
    this.byteOffset += whole.length;
    this.readEvents(this.splitter.push(chunk.subarray(last)), steps);
  }

  private readText(text: string, steps: Step[]): void {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      this.line += 1;
      const step = parseLineText(text.slice(start, end), { file: this.file, line: this.line });
      if (step !== undefined) steps.push(step);
      start = end + 1;
    }
  }

  private readEvents(events: readonly LineEvent[], steps: Step[]): void {
    for (const event of events) {
      const step = this.step(event);
      if (step !== undefined) steps.push(step);
    }
  }

  private step(event: LineEvent): Step | undefined {
    this.line += 1;
    if (event.kind === 'oversize') {
      throw new InputError(
        { file: this.file, line: this.line, column: 1 },
        `the line is longer than ${this.lineLimitBytes} bytes; expected one frame on each line`,
      );
    }
    const byteOffset = this.byteOffset;
    this.byteOffset += event.bytes.length + 1;
    return parseLine(event.bytes, { file: this.file, line: this.line, byteOffset });
  }
}

const LF = 0x0a;
