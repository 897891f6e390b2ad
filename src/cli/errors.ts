import { ExitCode } from './exit-codes.js';

/** An option, argument or config file that cannot be used. The message says what was expected and what to do. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly exitCode = ExitCode.usage;
}

/** What `main` prints for an error, and how it ends. */
export interface Failure {
  readonly message: string;
  readonly exitCode: number;
  /** Whether the error is a fault of the harness, not of its input. */
  readonly isInternal: boolean;
}

/** Errors of the rooms carry `exitCode` 2 for bad input and 3 for what could not be done; anything else is a fault. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { message: String(error), exitCode: ExitCode.harness, isInternal: true };
  if ('exitCode' in error && typeof error.exitCode === 'number') {
    return { message: error.message, exitCode: error.exitCode, isInternal: false };
  }
  const exitCode = INPUT_ERRORS.has(error.name) ? ExitCode.usage : ExitCode.harness;
  return { message: error.message, exitCode, isInternal: exitCode === ExitCode.harness };
}

/** Rooms below `report` know no exit codes: their errors about bad input are told by name. */
const INPUT_ERRORS: ReadonlySet<string> = new Set(['InputError', 'BundleError']);
