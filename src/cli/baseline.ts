import { readFile } from 'node:fs/promises';
import {
  applyBaseline,
  type Baseline,
  emptyBaseline,
  type Judged,
  markExpected,
  readBaseline,
  updatedBaseline,
} from '../report/expected-failures.js';
import type { ScenarioResult } from '../report/model.js';
import type { RunScope } from '../report/stale.js';
import { writeFiles } from '../report/write-files.js';
import { UsageError } from './errors.js';
import type { RunOptions } from './run-options.js';

type BaselineOptions = Pick<RunOptions, 'expectedFailures' | 'updateExpectedFailures'>;

/**
 * Reads the expected-failures file before anything is run; undefined without one. Only a file that is to be written
 * may be missing. Throws `UsageError` or `ReportInputError`.
 */
export async function openBaseline({
  expectedFailures: file,
  updateExpectedFailures,
}: BaselineOptions): Promise<Baseline | undefined> {
  if (file === undefined) return undefined;
  const text = await readIfThere(file);
  if (text !== undefined) return readBaseline(text, file);
  if (updateExpectedFailures) return emptyBaseline(file);
  throw new UsageError(`${file}: there is no such file; --update-expected-failures writes one.`);
}

/** Applies a baseline, and writes it anew when that was asked for. Without one, results stay as they are. */
export async function judgeBaseline(
  results: readonly ScenarioResult[],
  baseline: Baseline | undefined,
  { updateExpectedFailures }: BaselineOptions,
  scope: RunScope,
): Promise<Judged> {
  if (baseline === undefined) return { scenarios: results, stale: [] };
  if (!updateExpectedFailures) return applyBaseline(results, baseline, scope);
  const { file } = baseline;
  const updated = updatedBaseline(baseline, results, scope);
  await writeFiles(new Map([[file, updated]]));
  return applyBaseline(results, readBaseline(updated, file), scope);
}

/** A result with the failures marked that a baseline names, whatever else it says. */
export function excused(result: ScenarioResult, baseline: Baseline | undefined): ScenarioResult {
  return baseline === undefined ? result : markExpected(result, baseline);
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError(`${file}: cannot be read: ${(error as Error).message}`);
  }
}
