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
  /** Whether the error is a fault of the harness, not of its input or its surroundings. */
  readonly isInternal: boolean;
}

/** Errors of the rooms carry their `exitCode` or are known by name; anything else is a fault of ours. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error))
    return { message: String(error), exitCode: ExitCode.harness, isInternal: true };
  const hint = 'hint' in error && typeof error.hint === 'string' ? `\n${error.hint}` : '';
  const message = `${error.message}${hint}`;
  const known =
    'exitCode' in error && typeof error.exitCode === 'number' ? error.exitCode : EXIT_BY_NAME[error.name];
  return known === undefined
    ? { message, exitCode: ExitCode.harness, isInternal: true }
    : { message, exitCode: known, isInternal: false };
}

/** Rooms that import nobody know no exit codes. */
const EXIT_BY_NAME: Readonly<Record<string, number>> = {
  InputError: ExitCode.usage,
  BundleError: ExitCode.usage,
  SelectionError: ExitCode.usage,
  HostStartError: ExitCode.harness,
};
