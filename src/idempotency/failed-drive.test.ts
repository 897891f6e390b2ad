import { expect, it, vi } from 'vitest';
import type { CheckId } from '../checks/catalogue.js';
import type { PassName } from '../checks/finding.js';
import { play } from './testing/play.js';
import type { Broken } from './testing/promises-broken.js';
import { PLAIN } from './testing/scenarios.js';

vi.mock('../target/host.js', async () => ({
  ...(await import('../target/host-error.js')),
  openHost: (await import('./testing/worlds.js')).openMemoryHost,
}));

const ends = (fate: 'fail' | 'die'): Broken => ({
  fate: ({ method, life }) => (life > 1 && method === 'session/start' ? fate : 'answer'),
});

it.each<[string, PassName, CheckId, Broken]>([
  ['starts no session after a kill', 'crash-after-ack', 'process/restarts', ends('fail')],
  ['dies of a session/start after a kill', 'crash-after-ack', 'process/no-crash', ends('die')],
  [
    'starts no second session',
    'pipelined',
    'idempotency/pipelined-single-effect',
    {
      fate: ({ method, times }) => (method === 'session/start' && times > 1 ? 'fail' : 'answer'),
    },
  ],
])('a server that %s fails, although the drives of %s are not judged', async (_what, pass, id, broken) => {
  const { findings } = await play(await PLAIN, { passes: [pass], broken });
  expect(findings.all.filter(({ status }) => status === 'failed').map((finding) => finding.id)).toContain(id);
});
