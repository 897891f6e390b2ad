import { type LineEvent, LineSplitter } from '../wire/line-splitter.js';
import { InputError, unreadable } from './errors.js';
import { openInput } from './open-input.js';
import { parseLine } from './parse-line.js';
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

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  const handle = await openInput(path);
  try {
    for (;;) {
      // A fresh buffer each time: lines may share its memory.
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, null);
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

  push(chunk: Buffer): Step[] {
    return this.stepsOf(this.splitter.push(chunk));
  }

  end(): Step[] {
    const last = this.stepsOf(this.splitter.end());
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

  /** The steps up to the first bad line; the reader has then failed. */
  private stepsOf(events: readonly LineEvent[]): Step[] {
    const steps: Step[] = [];
    try {
      for (const event of events) {
        const step = this.step(event);
        if (step !== undefined) {
          steps.push(step);
        }
      }
    } catch (error) {
      this.failure = error;
    }
    this.steps += steps.length;
    return steps;
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
