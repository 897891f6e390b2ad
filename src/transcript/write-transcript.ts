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

  constructor(path: string) {
    this.descriptor = openSync(path, 'wx');
  }

  /**
   * Writes these steps with one call of the system. Throws the file system's error, for instance on a full disk; what
   * had been written of the steps is taken back, so that no line is left half.
   */
  write(steps: readonly UnplacedStep[]): void {
    const bytes = Buffer.from(steps.map(formatLine).join(''), 'utf8');
    try {
      for (let written = 0; written < bytes.length; )
        written += writeSync(this.descriptor, bytes, written, undefined, this.length + written);
    } catch (error) {
      ftruncateSync(this.descriptor, this.length);
      throw error;
    }
    this.length += bytes.length;
  }

  close(): void {
    closeSync(this.descriptor);
  }
}

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
