import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordScenario } from '../src/record/record-scenario.js';
import { recordScript } from '../src/record/record-script.js';
import { type RehearsalSetup, rehearse } from '../src/record/rehearse.js';
import { rerecord } from '../src/record/rerecord.js';
import { verify } from '../src/record/verify.js';
import { bundledSchemaPath, loadBundle } from '../src/schema/load-bundle.js';
import type { TargetSpec } from '../src/target/spec.js';
import { loadScenario } from '../src/transcript/load-scenario.js';
import type { Scenario } from '../src/transcript/scenario.js';

const SCRIPT = [
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":{"name":"conformance","version":"0"}}}',
  '{"jsonrpc":"2.0","method":"initialized"}',
  '{"jsonrpc":"2.0","id":2,"method":"session/start","params":{"commandId":"{{new:s}}","workspaceRoot":"{{workspace}}"}}',
  '{"behaviour":"echo","frame":{"jsonrpc":"2.0","id":3,"method":"turn/start","params":{"sessionId":"{{2.result.session.sessionId}}","commandId":"{{new:t}}","input":[{"type":"text","text":"x"}]}}}',
  '{"await":{"method":"turn/completed"}}',
];

const other = join(import.meta.dirname, 'other-server', 'main.mjs');
const altering = join(import.meta.dirname, 'record', 'altering-server.mjs');
const tool = { name: 'test', version: '0' };
const keep = (raw: string) => raw;

let folder: string;
let setup: RehearsalSetup;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  setup = setupFor(await loadBundle(bundledSchemaPath()), [other]);
  const scriptFile = join(folder, 'script.jsonl');
  await writeFile(scriptFile, SCRIPT.join('\n'));
  const options = { scriptFile, id: 'turn', force: false, manifest: undefined, tool, redact: keep };
  await recordScript(setup.target, { ...options, out: join(folder, 'original') });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('verifying', () => {
  it('writes down which values are minted anew, and the scenario passes', async () => {
    const scenario = await copy('verified');
    const { failures, learned } = await verify(scenario, 2, setup);
    expect(failures).toEqual([]);
    const { manifest } = await loadScenario(scenario);
    expect(manifest?.normalize).toEqual(
      expect.arrayContaining(['params.turnId', 'result.session.sessionId']),
    );
    expect(manifest?.conformance).toMatchObject({ learned: JSON.parse(JSON.stringify(learned)) });
    expect((await verify(scenario, 1, setup)).learned).toEqual([]);
  });

  it('learns the shape of a value that varies and breaks no rule', async () => {
    const scenario = await copy('varying');
    const varying = altered('"platformOs"', '"buildTag":"{random}","platformOs"');
    await rerecord(scenario, { setup: varying, tool, accept: undefined, redact: keep });
    const { failures, learned } = await verify(scenario, 2, varying);
    expect(learned.filter(({ entry }) => entry !== 'normalize')).toEqual([
      { path: 'result.buildTag', entry: 'shape', note: 'was not as recorded in 2 of 2 runs' },
    ]);
    expect(failures).toEqual([]);
  });

  it('never learns a broken rule away', async () => {
    const scenario = await copy('broken');
    const before = await readFile(join(scenario, 'transcript.ndjson'));
    const { failures } = await verify(
      scenario,
      1,
      altered('"status":"accepted"', '"status":"maybe{random}"'),
    );
    expect(failures.map(({ blame }) => blame)).toContain('server');
    expect(await readFile(join(scenario, 'transcript.ndjson'))).toEqual(before);
    expect((await loadScenario(scenario)).manifest?.conformance?.match).toBeUndefined();
  });
});

describe('recording again', () => {
  it('keeps ids, the workspace and the behaviours of what it replaces, and still passes', async () => {
    const scenario = await copy('again');
    const before = await loadScenario(scenario);
    expect(await rerecord(scenario, options())).toEqual({ outcome: 'rewritten', failures: [] });
    const after = await loadScenario(scenario);
    const clients = ({ steps }: typeof before) =>
      steps.filter(({ dir }) => dir === 'client').map((step) => ('raw' in step ? step.raw : ''));
    expect(clients(after)).toEqual(clients(before));
    expect(behaviourFrames(after)).toEqual([['turn/start', 'echo']]);
    expect((await rehearse(after, setup)).failures).toEqual([]);
  });

  it('writes nothing when the server means something else, and says whom that blames', async () => {
    const scenario = await copy('refused');
    const before = await readFile(join(scenario, 'transcript.ndjson'));
    const { outcome, failures } = await rerecord(scenario, {
      ...options(),
      setup: altered('"startedNewTurn":true', '"startedNewTurn":false'),
    });
    expect(outcome).toBe('refused');
    expect(failures[0]?.failure).toMatchObject({
      method: 'turn/start',
      differences: [{ path: '/result/startedNewTurn' }],
    });
    expect(await readFile(join(scenario, 'transcript.ndjson'))).toEqual(before);
  });

  it('blames a recording that breaks the protocol itself', async () => {
    const scenario = await copy('faulty');
    const file = join(scenario, 'transcript.ndjson');
    const faulty = (await readFile(file, 'utf8')).replace(
      '\\"startedNewTurn\\":true',
      '\\"startedNewTurn\\":\\"yes\\"',
    );
    await writeFile(file, faulty);
    const { failures } = await rerecord(scenario, options());
    expect(failures.map(({ blame }) => blame)).toEqual(['recording']);
  });

  it('writes what is accepted, with the reason', async () => {
    const scenario = await copy('accepted');
    const { outcome } = await rerecord(scenario, {
      ...options(),
      setup: altered('"startedNewTurn":true', '"startedNewTurn":false'),
      accept: 'it does so now',
    });
    expect(outcome).toBe('rewritten');
    const { manifest } = await loadScenario(scenario);
    expect(manifest?.conformance).toMatchObject({ accepted: [{ reason: 'it does so now', tool }] });
  });
});

describe('the client side of a scenario', () => {
  it('makes another scenario of another server’s answers', async () => {
    const made = await recordScenario(join(folder, 'original', 'turn'), altered('"Done."', '"Finished."'), {
      out: join(folder, 'others'),
      id: 'other',
      force: false,
      manifest: { conformance: { title: 'T' } },
      tool,
      redact: keep,
    });
    expect(made.failures).toEqual([]);
    const scenario = await loadScenario(made.folder);
    expect(scenario.manifest).toMatchObject({ scenario: 'other', conformance: { title: 'T' } });
    expect(behaviourFrames(scenario)).toEqual([['turn/start', 'echo']]);
  });
});

/** The methods of the frames that behaviours are told for. */
function behaviourFrames({ steps, manifest }: Scenario): unknown[] {
  return Object.entries(manifest?.conformance?.behaviours ?? {}).map(([line, name]) => {
    const step = steps.find((candidate) => String(candidate.line) === line);
    return [step?.dir === 'client' && JSON.parse(step.raw).method, name];
  });
}

function options() {
  return { setup, tool, accept: undefined, redact: keep };
}

function altered(from: string, to: string): RehearsalSetup {
  return setupFor(setup.bundle, [altering, from, to]);
}

function setupFor(bundle: RehearsalSetup['bundle'], words: readonly string[]): RehearsalSetup {
  const target: TargetSpec = {
    label: 'other',
    command: [process.execPath, ...words],
    address: { kind: 'stdio' },
    env: {},
    inheritEnv: false,
    behaviours: { echo: 'repeat after me: hello' },
    startTimeoutMs: 60_000,
    graceMs: 60_000,
    timeoutMs: 60_000,
  };
  return { target, bundle, knownServers: new Map() };
}

async function copy(name: string): Promise<string> {
  const scenario = join(folder, name, 'turn');
  await cp(join(folder, 'original', 'turn'), scenario, { recursive: true });
  return scenario;
}
