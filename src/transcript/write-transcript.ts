import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { type ExactJson, stringifyExact } from '../wire/exact-json.js';
import type { ControlStep, FrameStep } from './scenario.js';
import { writeAside } from './write-aside.js';

/** A step that has no place in a file yet. A `Step` that was read is one too. */
export type UnplacedStep = Omit<FrameStep, 'line'> | Omit<ControlStep, 'line'>;

/**
 * Writes a new transcript line by line. Each line has reached the operating system when `write` returns, in the
 * order of the calls, so that a recording survives the death of the recorder. An existing file is never touched:
 * the constructor throws the `EEXIST` of the file system.
 */
export class TranscriptWriter {
  private readonly descriptor: number;
  private length = 0;
  private lineCount = 0;

  constructor(path: string) {
    this.descriptor = openSync(path, 'wx');
  }

  /** How many lines are on file. */
  get lines(): number {
    return this.lineCount;
  }

  /**
   * Writes these steps with as few calls of the system as can be. Throws the file system's error, for instance on a
   * full disk; the lines that had been written whole stay, and none is left half.
   */
  write(steps: readonly UnplacedStep[]): void {
    const bytes = Buffer.from(steps.map(formatLine).join(''), 'utf8');
    let written = 0;
    try {
      while (written < bytes.length)
        written += writeSync(this.descriptor, bytes, written, undefined, this.length + written);
      this.keep(bytes);
    } catch (error) {
      this.keep(bytes.subarray(0, bytes.subarray(0, written).lastIndexOf(LF) + 1));
      ftruncateSync(this.descriptor, this.length);
      throw error;
    }
  }

  private keep(wholeLines: Buffer): void {
    this.length += wholeLines.length;
    for (let at = wholeLines.indexOf(LF); at !== -1; at = wholeLines.indexOf(LF, at + 1)) this.lineCount += 1;
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

const LF = 0x0a;

/** Writes a whole transcript in constant memory; the file appears only when all of it is on disk. */
export async function writeTranscript(
  path: string,
  steps: Iterable<UnplacedStep> | AsyncIterable<UnplacedStep>,
): Promise<void> {
  await writeAside(path, async (handle) => {
    let block = '';
    for await (const step of steps) {
      block += formatLine(step);
      if (block.length >= BLOCK_CHARACTERS) {
        await handle.appendFile(block);
        block = '';
      }
    }
    await handle.appendFile(block);
  });
}

const BLOCK_CHARACTERS = 256 * 1024;

function formatLine(step: UnplacedStep): string {
  const known = step.dir === 'control' ? { dir: step.dir, op: step.op } : { dir: step.dir, raw: step.raw };
  return `${stringifyExact({ ...known, ...(step.extra as Record<string, ExactJson> | undefined) })}\n`;
}
