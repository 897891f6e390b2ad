import { setTimeout as pause } from 'node:timers/promises';
import type { RequestId } from '../wire/frame.js';
import type { Exchange, Outcome } from './exchange.js';

/** What a busy server is given before the same frame goes out again, in milliseconds; together about three seconds. */
const PAUSES_MS: readonly number[] = [50, 100, 200, 400, 800, 1600];

/** True when the server had no room for the request. It admitted nothing, and the same frame may be sent again. */
export function isBusy(outcome: Outcome): boolean {
  return (
    outcome.kind === 'error' && (outcome.errorKind === 'overloaded' || outcome.errorKind === 'backpressured')
  );
}

/** Sends a request, again after growing pauses while the server has no room for it, and gives its last answer. */
export function postUntilAdmitted(exchange: Exchange, line: string, id: RequestId): Promise<Outcome> {
  const last = attempts(exchange, line, id);
  // Whoever has lost interest in the answer need not hear of a flood.
  last.catch(() => {});
  return last;
}

async function attempts(exchange: Exchange, line: string, id: RequestId): Promise<Outcome> {
  let outcome = await exchange.post(line, id);
  for (const milliseconds of PAUSES_MS) {
    if (!isBusy(outcome)) break;
    await pause(milliseconds);
    outcome = await exchange.post(line, id);
  }
  return outcome;
}
