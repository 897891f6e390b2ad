import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Bundle } from '../../schema/bundle.js';
import { bundledSchemaPath, loadBundle } from '../../schema/load-bundle.js';
import { decodeFrame } from '../../wire/decode.js';
import { CATALOGUE, type CheckId, checkDefinition } from '../catalogue.js';
import type { RuleContext } from './observation.js';
import { StreamChecker } from './stream-checker.js';
import type { Case } from './testing/case.js';
import { IDEMPOTENCY_CASES, INNOCENT_COMMANDS, TURN_CASES } from './testing/command-cases.js';
import { type Act, hello, notify, server } from './testing/crafted-frames.js';
import { SCHEMA_CASES } from './testing/schema-cases.js';
import { INNOCENT_VIEWS, VIEW_CASES } from './testing/view-cases.js';
import { WIRE_CASES } from './testing/wire-cases.js';

const CASES: readonly (readonly [string, Case])[] = Object.entries({
  ...WIRE_CASES,
  ...SCHEMA_CASES,
  ...VIEW_CASES,
  ...TURN_CASES,
  ...IDEMPOTENCY_CASES,
});

let bundle: Bundle;
beforeAll(async () => {
  bundle = await loadBundle(bundledSchemaPath());
});

describe('each rule of a stream', () => {
  it.each(CASES)('%s is caught where it is broken', (id, { fails, gives = 'failed', context }) => {
    const found = play(fails, context).get(id as CheckId);
    expect(found?.status).toBe(gives === 'note' ? 'passed' : gives);
    expect(found?.message).not.toBe('');
    if (gives === 'note') expect(found?.severity).toBe('note');
  });

  it.each(CASES.filter(([, { passes }]) => passes.length > 0))('%s passes where it is kept', (id, kase) => {
    const found = play(kase.passes, kase.context);
    expect(found.get(id as CheckId)).toMatchObject({ status: 'passed', message: '' });
    // A stream that is there to be right must be right in every other respect too.
    expect([...found.values()].filter(({ status }) => status === 'failed')).toEqual([]);
  });

  it('has a stream for every check that a rule can report', () => {
    const reported = [...CATALOGUE.keys()].filter((id) => RULE_SOURCES.includes(`'${id}'`));
    expect(CASES.map(([id]) => id).sort()).toEqual(reported.sort());
  });
});

describe('streams that look wrong and are allowed', () => {
  it.each(Object.entries({ ...INNOCENT_VIEWS, ...INNOCENT_COMMANDS }))('%s', (_name, acts) => {
    const blamed = [...play(acts).values()].filter(({ status }) => status !== 'passed');
    expect(blamed).toEqual([]);
  });
});

describe('a finding', () => {
  const bad = server('[INFO] hello');

  it('lists the first occurrences, counts the rest, and shows the frames around the first', () => {
    const found = play([...hello(), ...Array.from({ length: 30 }, () => bad)]).get('wire/stdout-only-frames');
    expect(found?.message.split('\n')).toHaveLength(21);
    expect(found?.message).toContain('and 10 more');
    expect(found?.step).toBe(4);
    expect(found?.evidence?.at(-1)).toMatchObject({ dir: 'server', raw: '[INFO] hello' });
  });

  it('has the pass in which it was first seen at its worst, and the first pass when all is well', () => {
    const checker = new StreamChecker({ bundle, live: true, frameLimitBytes: 1024, tolerant: false });
    const see = (raw: string) => checker.observe({ dir: 'server', frame: decodeFrame(raw), atMs: 0 });
    see('{"jsonrpc":"2.0","method":"initialized"}');
    checker.enter('restart');
    see('[INFO] hello');
    checker.enter('malformed');
    see('[INFO] bye');
    const passes = new Map(checker.finish().map(({ id, pass }) => [id, pass]));
    expect(passes.get('wire/stdout-only-frames')).toBe('restart');
    expect(passes.get('wire/utf8')).toBe('replay');
  });

  it('is a note when the transcript is there to try a client’s tolerance', () => {
    const found = play([...hello(), bad, notify('session/future', {})], { tolerant: true });
    expect([...found.values()].every(({ status }) => status === 'passed')).toBe(true);
    expect(found.get('wire/stdout-only-frames')?.message).not.toBe('');
  });

  it('never has a graver status than its check’s severity allows', () => {
    for (const [id, { fails, context }] of CASES) {
      const status = play(fails, context).get(id as CheckId)?.status;
      if (status === 'failed') expect(checkDefinition(id).severity).toBe('must');
    }
  });
});

const RULE_SOURCES = readSources(dirname(fileURLToPath(import.meta.url)));

function readSources(folder: string): string {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
}

function play(acts: readonly Act[], context: Partial<RuleContext> = {}) {
  const checker = new StreamChecker({
    bundle,
    live: false,
    frameLimitBytes: 10 * 1024 * 1024,
    tolerant: false,
    ...context,
  });
  acts.forEach((act, index) => {
    if ('end' in act) checker.connectionClosed(act.end);
    else if ('fault' in act) checker.connectionFault(act.fault);
    else checker.observe({ dir: act.dir, frame: decodeFrame(act.raw), step: index + 1, atMs: 0 });
  });
  return new Map(checker.finish().map((finding) => [finding.id as CheckId, finding]));
}
