import { v7 as mintUuid } from 'uuid';
import { BenchClient } from './client.js';
import { median } from './compare.js';

/** The first ones are slower by what is compiled in them. */
const WARM_UP = 100;

/**
 * Starts a server and gives the median time of `count` round trips in microseconds, one after the other, each of a
 * command that changes the state of one session and is acknowledged once that is durable.
 */
export async function medianRoundTrip(command: readonly string[], count: number): Promise<number> {
  const client = new BenchClient(command);
  await client.request('initialize', { clientInfo: { name: 'bench', version: '1.0.0' } });
  client.notify('initialized');
  const { session } = await client.request('session/start', { commandId: mintUuid() });
  const { sessionId } = session as { readonly sessionId: string };
  const times: number[] = [];
  for (let n = -WARM_UP; n < count; n += 1) {
    const params = { sessionId, commandId: mintUuid(), name: `name ${n}` };
    const began = performance.now();
    await client.request('session/rename', params);
    if (n >= 0) times.push((performance.now() - began) * 1000);
  }
  await client.end();
  return median(times);
}
