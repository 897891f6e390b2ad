/** Lets a signal end the process in order, so that what is to be done at its exit gets done. */
export function exitOnSignals(): void {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}
