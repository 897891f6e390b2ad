import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { judgingPasses } from '../checks/judging-passes.js';
import { CRASH_OFFENCES } from './testing/crash-offences.js';
import { LIVE_OFFENCES } from './testing/live-offences.js';
import { play } from './testing/play.js';
import { RESTART_OFFENCES } from './testing/restart-offences.js';

vi.mock('../target/host.js', async () => ({
  ...(await import('../target/host-error.js')),
  openHost: (await import('./testing/worlds.js')).openMemoryHost,
}));

const OFFENCES = [...LIVE_OFFENCES, ...RESTART_OFFENCES, ...CRASH_OFFENCES];

/** Nothing is promised where these speak: they tell what a server does. */
const NEVER_FAIL = new Set(['idempotency/unspecified-id-reuse', 'idempotency/unspecified-payload-change']);

/** What goes without saying while all is well: that replays are answered, and that the server lives. */
const SPEAKS_OF_TROUBLE_ONLY = new Set([
  'idempotency/replay-answered',
  'process/no-crash',
  'process/restarts',
]);

describe('a broken promise is found by its check', () => {
  it.each(OFFENCES)('$check: a server that $what', async (offence) => {
    const {
      check,
      scenario,
      passes,
      broken,
      transport = 'stdio',
      crashPoints = 2,
      status = 'failed',
    } = offence;
    const recording = await scenario;
    const { findings } = await play(recording, { passes, broken, transport, crashPoints, timeoutMs: 3_000 });
    const accused = findings.all.filter((finding) => finding.id === check && finding.status === status);
    expect(accused.map(({ method }) => method)).toContain(offence.method ?? accused[0]?.method);
    expect(accused.length).toBeGreaterThan(0);
    const judgedIn = judgingPasses(check);
    if (judgedIn !== 'any') expect(judgedIn).toEqual(expect.arrayContaining(accused.map(({ pass }) => pass)));
    if (offence.tells !== undefined)
      expect(accused.map(({ message }) => message).join('\n')).toMatch(offence.tells);
  });

  it.each(OFFENCES)(
    '$check: not where the server is honest ($what)',
    async ({ check, scenario, passes, transport = 'stdio' }) => {
      const { findings } = await play(await scenario, { passes, transport });
      const statuses = new Set(findings.all.filter(({ id }) => id === check).map(({ status }) => status));
      expect(statuses).not.toContain('failed');
      expect(statuses).not.toContain('warned');
      if (!SPEAKS_OF_TROUBLE_ONLY.has(check)) expect(statuses).toContain('passed');
    },
  );

  it('has an offence for every check that a pass can fail', () => {
    const sources = readdirSync(import.meta.dirname).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    );
    const text = sources.map((name) => readFileSync(`${import.meta.dirname}/${name}`, 'utf8')).join('\n');
    const emitted = new Set(text.match(/(?<=')(idempotency|durability|process)\/[a-z-]+(?=')/g));
    const covered = new Set<string>(OFFENCES.map(({ check }) => check));
    expect([...emitted].filter((id) => !covered.has(id) && !NEVER_FAIL.has(id))).toEqual([]);
  });
});
