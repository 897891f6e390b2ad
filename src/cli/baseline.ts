import { readFile } from 'node:fs/promises';
import {
  applyBaseline,
  emptyBaseline,
  type Judged,
  readBaseline,
  updatedBaseline,
} from '../report/expected-failures.js';
import type { ScenarioResult } from '../report/model.js';
import { writeFiles } from '../report/write-files.js';
import { UsageError } from './errors.js';
import type { RunOptions } from './run-options.js';

/** Applies the expected-failures file, and writes it anew when that was asked for. Without one, results stay as they are. */
export async function judgeBaseline(
  results: readonly ScenarioResult[],
  { expectedFailures: file, updateExpectedFailures }: RunOptions,
): Promise<Judged> {
  if (file === undefined) return { scenarios: results, stale: [] };
  const text = await readIfThere(file);
  if (text === undefined && !updateExpectedFailures) {
    throw new UsageError(`${file}: there is no such file; --update-expected-failures writes one.`);
  }
  const baseline = text === undefined ? emptyBaseline(file) : readBaseline(text, file);
  if (!updateExpectedFailures) return applyBaseline(results, baseline);
  const updated = updatedBaseline(baseline, results);
  await writeFiles(new Map([[file, updated]]));
  return applyBaseline(results, readBaseline(updated, file));
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError(`${file}: cannot be read: ${(error as Error).message}`);
  }
}
