/** A report, baseline or option that cannot be used: the message says where and what to do. Exit code 2. */
export class ReportInputError extends Error {
  override readonly name = 'ReportInputError';
  readonly exitCode = 2;
}

/** A report that could not be written: the message names the file and the reason. Exit code 3. */
export class ReportWriteError extends Error {
  override readonly name = 'ReportWriteError';
  readonly exitCode = 3;
}
