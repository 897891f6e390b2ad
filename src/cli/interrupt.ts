import { endAll } from '../target/clean-up.js';

export interface Interruptible<T> {
  readonly outcome: T;
  /** The signal that cut the work short; undefined when it came to its own end. */
  readonly interruptedBy: 'SIGINT' | 'SIGTERM' | undefined;
}

/**
 * Runs work that a signal may cut short: servers are stopped at once, what is known is kept. A second signal ends
 * the process on the spot.
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<Interruptible<T>> {
  const controller = new AbortController();
  let interruptedBy: Interruptible<T>['interruptedBy'];
  const onSignal = (name: NodeJS.Signals) => {
    if (interruptedBy !== undefined) process.exit(name === 'SIGINT' ? 130 : 143);
    interruptedBy = name === 'SIGINT' ? 'SIGINT' : 'SIGTERM';
    controller.abort();
    void endAll();
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  try {
    const outcome = await work(controller.signal);
    return { outcome, interruptedBy };
  } finally {
    if (interruptedBy !== undefined) await endAll();
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
  }
}
