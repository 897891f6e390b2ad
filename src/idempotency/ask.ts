import { postUntilAdmitted } from '../replay/busy.js';
import type { Exchange, Outcome } from '../replay/exchange.js';

/** Sends a request of the harness' own, again while the server has no room for it, and gives its last answer. */
export function askUntilAdmitted(exchange: Exchange, method: string, params?: unknown): Promise<Outcome> {
  const id = exchange.freshId();
  const message = { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) };
  return postUntilAdmitted(exchange, JSON.stringify(message), id);
}
