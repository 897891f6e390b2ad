/** Exit codes of every command. A run that SIGINT or SIGTERM cut short ends with 128 plus the signal's number. */
export const ExitCode = {
  conformant: 0,
  violation: 1,
  /** Wrong usage, or input that cannot be read. */
  usage: 2,
  /** The harness could not do its job. */
  harness: 3,
  interrupted: 130,
  terminated: 143,
} as const;
