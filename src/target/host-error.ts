/** The server could not be met, so nothing was learned about it (exit 3). */
export class HostStartError extends Error {
  override readonly name = 'HostStartError';
  constructor(
    readonly reason: HostStartReason,
    message: string,
    /** The last of what the server wrote to its stderr; empty when it wrote nothing. */
    readonly stderrTail = '',
  ) {
    super(message);
  }

  /** What is printed below the message. */
  get hint(): string | undefined {
    return this.stderrTail === '' ? undefined : `The end of what it wrote:\n${this.stderrTail.trimEnd()}`;
  }
}

/**
 * `notSpawned`: the program could not be executed. `exited`: it ended before it could be connected to.
 * `notListening`: nothing accepted a connection in time. `occupied`: another program was there before it was started.
 * `badAddress`: no such address can exist. `commandFailed`: the restart or kill command did not succeed.
 */
export type HostStartReason =
  | 'notSpawned'
  | 'exited'
  | 'notListening'
  | 'occupied'
  | 'badAddress'
  | 'commandFailed';

/** A stdio server has one connection for its life. */
export class SecondConnectionError extends Error {
  override readonly name = 'SecondConnectionError';
  constructor() {
    super('a stdio server has exactly one connection: start another host, or use --unix or --tcp');
  }
}
