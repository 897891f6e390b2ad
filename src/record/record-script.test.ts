import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../transcript/load-scenario.js';
import type { Scenario } from '../transcript/scenario.js';
import { recordScript } from './record-script.js';
import { inFolder, namesIn, smallServer, writeScript } from './testing/recording.js';

const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
const sessionStart = {
  jsonrpc: '2.0',
  id: 2,
  method: 'session/start',
  params: { commandId: '{{new:c}}', workspaceRoot: '{{workspace}}' },
};
const turnStart = {
  jsonrpc: '2.0',
  id: 3,
  method: 'turn/start',
  params: {
    sessionId: '{{2.result.session.sessionId}}',
    commandId: '{{new:t}}',
    input: [{ type: 'text', text: 'x' }],
  },
};
const completed = { await: { method: 'turn/completed', params: { turnId: '{{3.result.turnId}}' } } };

describe('a recorded script', () => {
  it('holds each client line after the answers before it, receipts, and what was awaited, and no more', async () => {
    const { steps } = await recorded([initialize, '', '# a turn', sessionStart, turnStart, completed]);
    expect(steps.map(summary)).toEqual([
      'client initialize',
      'server answer 1',
      'client session/start',
      'server session/started',
      'server answer 2',
      'client turn/start',
      'server answer 3',
      'server turn/started',
      'server approval/request',
      'client answer 1',
      'server turn/completed',
    ]);
  });

  it('fills placeholders with what the server said', async () => {
    const approval =
      '{"jsonrpc":"2.0","id":9,"method":"x","params":{"of":"<{{event:approval/request.params.approvalId}}>"}}';
    const { steps } = await recorded([sessionStart, turnStart, completed, approval]);
    const frames = steps.flatMap((step) => (step.dir === 'control' ? [] : [JSON.parse(step.raw)]));
    const asked = frames.find(({ method }) => method === 'approval/request');
    expect(frames.find(({ id, method }) => id === 9 && method)?.params.of).toBe(
      `<${asked.params.approvalId}>`,
    );
  });

  it('names neither the run’s folders nor any other place of this machine', async () => {
    const { steps } = await recorded([initialize, sessionStart]);
    const text = JSON.stringify(steps);
    expect(text).toContain('/workspace');
    expect(text).toContain('/state');
    expect(text).not.toContain('msp-conformance-');
  });

  it('has a manifest that says what it is, merged with the given members', async () => {
    const manifest = { conformance: { title: 'T', passes: [] }, regime: 'ours', scenario: 'other' };
    const scenario = await recorded(
      [{ frame: initialize }, sessionStart, { frame: turnStart, behaviour: 'approval' }],
      {
        manifest,
      },
    );
    expect(scenario.manifest).toMatchObject({
      kind: 'mspTranscript',
      schemaVersion: 1,
      scenario: 'made',
      provenance: 'host-generated',
      fingerprint: `sha256:${'a'.repeat(64)}`,
      viewSchemaVersion: 1,
      serverConfig: { frameLimitBytes: 10485760 },
      transports: ['stdio'],
      normalize: [],
      regime: 'ours',
      tool: { name: 'test', version: '0' },
      conformance: { title: 'T', passes: [], behaviours: { '6': 'approval' } },
    });
    expect(JSON.stringify(scenario.steps[5])).toContain('ask me');
  });

  it('goes on with a new life after a control line', async () => {
    const { steps } = await recorded([
      initialize,
      { dir: 'control', op: 'crash' },
      { ...initialize, id: 'again' },
    ]);
    expect(steps.map(summary)).toEqual([
      'client initialize',
      'server answer 1',
      'control crash',
      'client initialize',
      'server answer again',
    ]);
  });

  it('sends a pipelined line before the answers', async () => {
    const { steps } = await recorded([initialize, { frame: sessionStart, pipelined: true }]);
    expect(steps.map(summary).slice(0, 2)).toEqual(['client initialize', 'client session/start']);
  });

  it('can await an answer that belongs to no request', async () => {
    const { steps } = await recorded([{ dir: 'client', raw: 'no json' }, { await: { id: null } }]);
    expect(steps.map((step) => step.dir)).toEqual(['client', 'server']);
  });
});

describe('a script that cannot be recorded leaves nothing behind', () => {
  it.each([
    [
      'a server that dies',
      'dies',
      [sessionStart, turnStart, completed],
      /script\.jsonl:3: the server closed/,
    ],
    [
      'a server that is silent',
      'silent',
      [initialize],
      /script\.jsonl:1: .*answer to request 1 within 300 ms/,
    ],
    ['a value never received', 'plain', [turnStart], /script\.jsonl:1: .*2\.result\.session\.sessionId/],
    [
      'a scripted response',
      'plain',
      ['{"jsonrpc":"2.0","id":1,"result":{}}'],
      /script\.jsonl:1:1: a response/,
    ],
    ['an unknown control', 'plain', [{ dir: 'control', op: 'jump' }], /"op" is "jump"/],
    ['an unknown behaviour', 'plain', [{ frame: initialize, behaviour: 'odd' }], /"behaviour" is "odd"/],
    ['no client frame', 'plain', ['# nothing'], /holds no client frame/],
    ['what is no frame', 'plain', ['{"x":1}'], /expected a client frame/],
  ])('%s', async (_, manner, lines, message) => {
    await inFolder(async (out) => {
      const scriptFile = await writeScript(out, lines);
      const limits = manner === 'silent' ? { timeoutMs: 300 } : {};
      await expect(record(scriptFile, out, { spec: { ...smallServer(manner), ...limits } })).rejects.toThrow(
        message,
      );
      expect(await namesIn(out)).toEqual(['script.jsonl']);
    });
  });
});

describe('the scenario’s place', () => {
  it('is never overwritten without force, and replaced whole with it', async () => {
    await inFolder(async (out) => {
      const scriptFile = await writeScript(out, [initialize]);
      await record(scriptFile, out);
      await expect(record(scriptFile, out)).rejects.toThrow(/exists already/);
      await record(scriptFile, out, { force: true });
      expect(await namesIn(out)).toEqual(['made', 'script.jsonl']);
    });
  });

  it.each(['', '..', 'a/b', '.hidden', 'ü', '-x'])('is not made for the id %j', async (id) => {
    await inFolder(async (out) => {
      const scriptFile = await writeScript(out, [initialize]);
      await expect(record(scriptFile, out, { id })).rejects.toThrow(/not usable/);
      expect(await namesIn(out)).toEqual(['script.jsonl']);
    });
  });
});

type Extra = Partial<Parameters<typeof recordScript>[1]> & { readonly spec?: ReturnType<typeof smallServer> };

function record(
  scriptFile: string,
  out: string,
  { spec = smallServer(), ...extra }: Extra = {},
): Promise<string> {
  return recordScript(spec, {
    scriptFile,
    out,
    id: 'made',
    force: false,
    manifest: undefined,
    tool: { name: 'test', version: '0' },
    redact: (raw) => raw,
    ...extra,
  });
}

function recorded(lines: readonly unknown[], extra: Extra = {}): Promise<Scenario> {
  return inFolder(async (out) => {
    await record(await writeScript(out, lines), out, extra);
    return loadScenario(join(out, 'made'));
  });
}

function summary(step: Scenario['steps'][number]): string {
  if (step.dir === 'control') return `control ${step.op}`;
  const { id, method } = JSON.parse(step.raw);
  return `${step.dir} ${method ?? `answer ${id}`}`;
}
