/** A recording that could not be made; nothing was written in its place (exit 3). */
export class RecordingError extends Error {
  override readonly name = 'RecordingError';
  readonly exitCode = 3;

  constructor(
    message: string,
    /** What is printed below the message. */
    readonly hint?: string | undefined,
  ) {
    super(message);
  }
}
