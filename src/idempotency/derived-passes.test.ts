import { describe, expect, it, vi } from 'vitest';
import { DERIVED_PASSES, type Finding, type PassName } from '../checks/finding.js';
import { play } from './testing/play.js';
import type { Broken } from './testing/promises-broken.js';
import { APPROVAL, CANCEL, GOAL, LIFECYCLE, PARKED, PLAIN, QUEUE } from './testing/scenarios.js';

vi.mock('../target/host.js', async () => ({
  ...(await import('../target/host-error.js')),
  openHost: (await import('./testing/worlds.js')).openMemoryHost,
}));

const NO_VIEW = new Set(['view/page']);
const NO_HISTORY = new Set(['view/page', 'session/read', 'session/resume']);

describe('an honest server of another manner', () => {
  it.each<[string, Parameters<typeof play>[0] | Promise<Parameters<typeof play>[0]>, Broken]>([
    ['pages no view', PLAIN, { lacks: NO_VIEW }],
    ['pages no view while turns are queued', QUEUE, { lacks: NO_VIEW }],
    ['pages no view and sets goals', GOAL, { lacks: NO_VIEW }],
    ['does not list', LIFECYCLE, { lacks: new Set(['session/list']) }],
    [
      'answers the ack of a turn that died, which has its terminal',
      CANCEL,
      { settlement: (abandoned, wasRunning) => (wasRunning ? undefined : abandoned) },
    ],
    ['keeps nothing', PLAIN, { sessionDurability: 'ephemeral' }],
    ['keeps nothing and waits for a person', PARKED, { sessionDurability: 'ephemeral' }],
    ['fails a turn that died', QUEUE, { deathTerminal: () => 'failed' }],
    ['adds no view but asks', APPROVAL, { lacks: NO_VIEW }],
  ])('is accused of nothing when it %s', async (_what, scenario, broken) => {
    const { findings, timedOut } = await play(await scenario, {
      passes: DERIVED_PASSES,
      broken,
      timeoutMs: 20_000,
    });
    const accusations = findings.all.filter(({ id, status }) => status === 'failed' && FAMILIES.test(id));
    expect(accusations.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
    expect(timedOut).toBe(false);
  });
});

describe('what cannot be seen', () => {
  it('is untestable, with the reason, and never passes', async () => {
    const passes: readonly PassName[] = ['duplicate', 'pipelined', 'conflict'];
    const { findings } = await play(await PLAIN, { passes, broken: { lacks: NO_HISTORY } });
    for (const id of [
      'idempotency/duplicate-single-effect',
      'idempotency/pipelined-single-effect',
      'idempotency/conflict-no-effect',
    ]) {
      const verdicts = findings.all.filter((finding) => finding.id === id);
      expect(
        verdicts.map(({ status }) => status),
        id,
      ).not.toContain('passed');
      expect(verdicts[0]).toMatchObject({
        status: 'untestable',
        message: expect.stringContaining('view/page answered methodNotFound'),
      });
    }
    expect(statusesOf(findings.all, 'idempotency/duplicate-ack-identical')).toEqual(new Set(['passed']));
  });

  it('is untestable for a second client that is not served', async () => {
    const { findings } = await play(await PLAIN, {
      passes: ['reconnect'],
      transport: 'unix',
      broken: { connections: 1 },
    });
    expect(statusesOf(findings.all, 'idempotency/reconnect-duplicate')).toEqual(new Set(['untestable']));
    expect(statusesOf(findings.all, 'view/connections-agree')).toEqual(new Set(['notApplicable']));
  });
});

describe('what does not apply', () => {
  it('is said once per command: one that has only its target has no conflict', async () => {
    const { findings } = await play(await GOAL, { passes: ['conflict'] });
    const conflicts = findings.all.filter(({ id }) => id === 'idempotency/conflict-rejected');
    expect(conflicts.filter(({ status }) => status === 'notApplicable').map(({ method }) => method)).toEqual([
      'goal/pause',
      'goal/clear',
    ]);
  });

  it.each([
    ['reconnect', 'idempotency/reconnect-duplicate', {}],
    ['reconnect', 'view/connections-agree', {}],
    ['restart', 'idempotency/restart-duplicate-identical', { sessionDurability: 'ephemeral' }],
    ['crash-after-ack', 'idempotency/crash-after-ack-durable', { sessionDurability: 'ephemeral' }],
    ['carrierless', 'idempotency/carrierless-no-new-effect', { sessionDurability: 'ephemeral' }],
  ] as const)('is said of %s', async (pass, id, broken) => {
    const { findings } = await play(await PLAIN, { passes: [pass], broken });
    expect(statusesOf(findings.all, id)).toEqual(new Set(['notApplicable']));
  });
});

describe('a part that a server cuts short', () => {
  const dies: Broken = {
    fate: ({ method, life, times }) =>
      life === 1 && method === 'turn/start' && times === 2 ? 'die' : 'answer',
  };

  it('is reported with the command, the exit and the last words, and the others are carried out', async () => {
    const { findings } = await play(await PLAIN, {
      passes: ['duplicate', 'malformed', 'restart'],
      broken: dies,
    });
    const [death] = findings.all.filter(({ id }) => id === 'process/no-crash');
    expect(death).toMatchObject({ status: 'failed', pass: 'duplicate' });
    expect(death?.message).toMatch(/turn\/start \(line \d+\)[\s\S]*exit code 9[\s\S]*the last words/);
    expect(statusesOf(findings.all, 'idempotency/missing-command-id')).toContain('passed');
  });

  it('is reported as what it was when nothing starts after it', async () => {
    const { findings } = await play(await PLAIN, {
      passes: ['restart', 'malformed'],
      broken: { starts: (life) => life === 1 },
    });
    expect(findings.all.filter(({ id }) => id === 'process/restarts')).toMatchObject([
      { status: 'failed', pass: 'restart' },
    ]);
    expect(statusesOf(findings.all, 'idempotency/missing-command-id')).toEqual(new Set(['passed']));
  });

  it('by silence counts as a matter of time, to be tried again with more of it', async () => {
    const mute: Broken = {
      fate: ({ method, times }) => (method === 'session/rename' && times === 2 ? 'mute' : 'answer'),
    };
    const { timedOut } = await play(await PLAIN, { passes: ['duplicate'], broken: mute, timeoutMs: 50 });
    expect(timedOut).toBe(true);
  });
});

describe('the cost of the passes', () => {
  it('is one start for the recording, one for the restart, and one more than kills', async () => {
    const { starts } = await play(await PLAIN, { passes: DERIVED_PASSES, crashPoints: 4 });
    const kills = 3 + 4;
    expect(starts).toBe(2 + kills + 1);
  });
});

const FAMILIES = /^(idempotency|durability|process)\//;

function statusesOf(findings: readonly Finding[], id: string): Set<string> {
  return new Set(findings.filter((finding) => finding.id === id).map(({ status }) => status));
}
