import { describe, expect, it, vi } from 'vitest';
import { DERIVED_PASSES, type Finding } from '../checks/finding.js';
import { judgingPasses } from '../checks/judging-passes.js';
import { play } from './testing/play.js';
import * as scenarios from './testing/scenarios.js';

vi.mock('../target/host.js', async () => ({
  ...(await import('../target/host-error.js')),
  openHost: (await import('./testing/worlds.js')).openMemoryHost,
}));

describe('derived passes against an honest server', () => {
  it.each(Object.entries(scenarios))('accuse it of nothing over %s', async (_name, recording) => {
    const { findings, timedOut } = await play(await recording, { passes: DERIVED_PASSES, timeoutMs: 30_000 });
    expect(
      findings.all
        .filter(isOurs)
        .filter(({ status }) => status === 'failed' || status === 'warned')
        .map(told),
    ).toEqual([]);
    expect(timedOut).toBe(false);
    expect(findings.all.filter((finding) => !isWhereItBelongs(finding)).map(told)).toEqual([]);
  });
});

/** A run without a pass takes a check of another pass for judged. */
function isWhereItBelongs({ id, pass }: Finding): boolean {
  const passes = judgingPasses(id);
  return passes === 'any' || passes.includes(pass);
}

function isOurs({ id }: Finding): boolean {
  return /^(idempotency|durability|process)\//.test(id);
}

function told({ id, pass, method, message }: Finding): string {
  return `${id} ${pass} ${method}: ${message}`;
}
