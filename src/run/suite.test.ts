import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { error, type Line, request } from '../replay/testing/scenario.js';
import type { ScenarioResult } from '../report/model.js';
import { silentObserver } from '../report/observer.js';
import { compilePattern } from '../report/pattern.js';
import { runSuite, type SuiteOptions } from './suite.js';
import { LISTING, type Manner, setup, target, written } from './testing/suite.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function run(changes: Partial<SuiteOptions> = {}): Promise<readonly ScenarioResult[]> {
  const { scenarios } = await runSuite({
    setup: setup(),
    paths: [],
    workers: 1,
    repeat: 1,
    bail: false,
    observer: silentObserver,
    signal: new AbortController().signal,
    ...changes,
  });
  return scenarios;
}

const listings = (...ids: string[]) => Promise.all(ids.map((id) => written(folder, id, LISTING)));
const against = (manner: Manner, timeoutMs?: number) =>
  setup({ target: target(manner, join(folder, 'lives'), timeoutMs) });
const told = (results: readonly ScenarioResult[]) => results.map(({ id, status }) => `${id} ${status}`);
const failures = ({ checks }: ScenarioResult) =>
  checks.filter(({ status }) => status === 'failed').map(({ id }) => id);

describe('a suite', () => {
  it('gives results in the order of the scenarios, whoever ran them', async () => {
    const paths = await listings('c', 'a', 'b');
    expect(told(await run({ paths, workers: 2 }))).toEqual(['c passed', 'a passed', 'b passed']);
  });

  it('names check, step, place, and the command that runs it again', async () => {
    const [result] = await run({ paths: await listings('a'), setup: against('wrong') });
    expect(result?.status).toBe('failed');
    const differing = result?.checks.filter(
      ({ id, status }) => id === 'replay/response-matches' && status === 'failed',
    );
    expect(differing).toMatchObject([
      {
        step: 5,
        method: 'session/list',
        rerun: 'run --only a:replay/response-matches',
        differences: [{ path: '/result/sessions', kind: 'type' }],
      },
    ]);
  });

  it('runs a first scenario that has no handshake of its own like any other', async () => {
    const early: Line[] = [request(1, 'session/list'), error(1, -32600, 'notInitialized')];
    const paths = [await written(folder, 'early', early), ...(await listings('later'))];
    expect(told(await run({ paths }))).toEqual(['early failed', 'later passed']);
  });

  it.each([
    ['absent', 'a errored', /no-such-server/],
    ['rude', 'a failed', /did not complete the handshake/],
    ['gone', 'a errored', /exit code 3.* did not start/],
  ] as const)('starts a server that is %s but once', async (manner, first, reason) => {
    const results = await run({ paths: await listings('a', 'b', 'c'), setup: against(manner) });
    expect(told(results)[0]).toBe(first);
    expect(told(results).slice(1)).toEqual(['b errored', 'c errored']);
    expect(results[2]?.reason).toMatch(reason);
  });

  it('stops after the first failure with --bail', async () => {
    const paths = await listings('a', 'b');
    const results = await run({ paths, bail: true, setup: against('wrong') });
    expect(told(results)).toEqual(['a failed', 'b notApplicable']);
    expect(results[1]?.reason).toMatch(/not run: --bail/);
  });

  it('goes on with --bail after a failure that the report will excuse', async () => {
    const paths = await listings('a', 'b');
    const judge = (result: ScenarioResult) => ({ ...result, status: 'passed' as const });
    const results = await run({ paths, bail: true, judge, setup: against('wrong') });
    expect(told(results)).toEqual(['a failed', 'b failed']);
  });

  it('keeps what it knows when it is cut off', async () => {
    const controller = new AbortController();
    const observer = { ...silentObserver, scenarioFinished: () => controller.abort() };
    const results = await run({ paths: await listings('a', 'b'), observer, signal: controller.signal });
    expect(told(results)).toEqual(['a passed', 'b notApplicable']);
    expect(results[1]?.reason).toMatch(/not run: .* before it came to this scenario/);
  });

  it('does not run what was written to try clients', async () => {
    const paths = [await written(folder, 'a', LISTING, { provenance: 'sdk-tolerance' })];
    const [result] = await run({ paths });
    expect(result).toMatchObject({
      status: 'notApplicable',
      reason: expect.stringContaining('sdk-tolerance'),
    });
  });

  it('does not run what is about another transport', async () => {
    const paths = [
      await written(folder, 'a', LISTING, { conformance: { requires: { transports: ['tcp'] } } }),
    ];
    expect((await run({ paths }))[0]).toMatchObject({
      status: 'notApplicable',
      reason: expect.stringContaining('stdio'),
    });
  });
});

describe('a missing answer', () => {
  it('that comes with more patience is a note', async () => {
    const [result] = await run({ paths: await listings('a'), setup: against('mute-at-first', 4_000) });
    expect(result?.status).toBe('passed');
    expect(result?.checks.at(-1)).toMatchObject({ id: 'replay/slow', status: 'passed', severity: 'note' });
  });

  it('that never comes is a violation', async () => {
    const [result] = await run({ paths: await listings('a'), setup: against('mute', 1_500) });
    expect(result?.status).toBe('failed');
    expect(result && failures(result)).toContain('replay/answered');
    expect(result?.checks.map(({ id }) => id)).not.toContain('replay/slow');
  });
});

describe('an exit after the grace', () => {
  const soon = (manner: Manner) => {
    const { target, ...rest } = against(manner);
    return { ...rest, target: { ...target, graceMs: 1_500 } };
  };

  it('that comes with more patience is a note', async () => {
    const [result] = await run({ paths: await listings('a'), setup: soon('lingers-at-first') });
    expect(result?.status).toBe('passed');
    expect(result?.checks.at(-1)).toMatchObject({ id: 'replay/slow', status: 'passed', severity: 'note' });
  });

  it('that never comes is a violation', async () => {
    const [result] = await run({ paths: await listings('a'), setup: soon('lingers') });
    expect(result && failures(result)).toEqual(['process/orderly-exit']);
    expect(result?.checks.map(({ id }) => id)).not.toContain('replay/slow');
  });
});

describe('--repeat', () => {
  it('runs all again and marks what changed', async () => {
    const [result] = await run({
      paths: await listings('a'),
      repeat: 2,
      setup: against('wrong-every-other-life'),
    });
    expect(result?.status).toBe('failed');
    const flaky = result?.checks.filter(({ flaky }) => flaky !== undefined);
    expect(flaky?.map(({ id, flaky }) => [id, flaky])).toContainEqual([
      'replay/response-matches',
      ['passed', 'failed'],
    ]);
  });

  it('marks nothing where nothing changed', async () => {
    const [result] = await run({ paths: await listings('a'), repeat: 2 });
    expect(result?.checks.filter(({ flaky }) => flaky !== undefined)).toEqual([]);
  });
});

describe('checks by name', () => {
  const only = (...texts: string[]) => texts.map(compilePattern);
  const ids = (result: ScenarioResult | undefined) => [...new Set(result?.checks.map(({ id }) => id))];

  it('--only keeps those, and the rest judges nobody', async () => {
    const paths = await listings('a');
    const wrong = against('wrong');
    const [kept] = await run({ paths, setup: { ...wrong, only: only('a:replay/answered') } });
    expect([kept?.status, ids(kept)]).toEqual(['passed', ['replay/answered']]);
    const [failed] = await run({ paths, setup: { ...wrong, only: only('a:replay/*') } });
    expect(failed?.status).toBe('failed');
  });

  it('--only of a check that was not reached is no pass', async () => {
    const paths = await listings('a');
    const [result] = await run({ paths, setup: { ...against('rude'), only: only('a:durability/*') } });
    expect(result).toMatchObject({
      status: 'notApplicable',
      reason: expect.stringContaining('failed before'),
    });
  });

  it('--skip drops those', async () => {
    const [result] = await run({
      paths: await listings('a'),
      setup: { ...against('wrong'), skip: only('a:replay/response-matches', '*:schema/*') },
    });
    expect(ids(result)).not.toContain('replay/response-matches');
  });
});
