import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Bindings } from './bindings.js';
import { type FrameRules, isMintedAnew, liveClientFrame } from './client-frame.js';
import type { ClientStep } from './script.js';
import { scriptOf, uuid } from './testing/scenario.js';
import { WorkspacePaths } from './workspace-paths.js';

let workspace: string;
let bindings: Bindings;
let replaced: [string, string][];

beforeEach(async () => {
  workspace = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  bindings = new Bindings();
  replaced = [];
});

afterEach(() => rm(workspace, { recursive: true, force: true }));

function rules(changes: Partial<FrameRules> = {}): FrameRules {
  return {
    bindings,
    ids: 'fresh',
    paths: new WorkspacePaths(workspace),
    behaviourText: undefined,
    onTextReplaced: (recorded, live) => replaced.push([recorded, live]),
    ...changes,
  };
}

function sent(raw: string, changes: Partial<FrameRules> = {}): string {
  const [step] = scriptOf([['client', raw]]).steps;
  return liveClientFrame(step as ClientStep, rules(changes));
}

const paramsOf = (line: string) => JSON.parse(line).params;

describe('what is replaced in a client frame', () => {
  it('a command id, by a fresh UUIDv7 that stands for it from then on', () => {
    const raw = `{"id":1,"method":"turn/start","params":{"sessionId":"s","commandId":"${uuid(1)}"}}`;
    const { commandId } = paramsOf(sent(raw));
    expect(isMintedAnew(commandId)).toBe(true);
    expect(commandId).not.toBe(uuid(1));
    expect(paramsOf(sent(raw)).commandId).toBe(commandId);
    expect(bindings.liveOf(uuid(1))).toBe(commandId);
  });

  it.each(['', 'no-uuid', '018f0000-0000-4000-8000-000000000001', uuid(10).replace('018f', '018F')])(
    'no command id that is meant to be odd (%j)',
    (odd) => {
      expect(
        paramsOf(sent(JSON.stringify({ method: 'turn/start', params: { commandId: odd } }))).commandId,
      ).toBe(odd);
    },
  );

  it('a session id where the client chooses it, and only there', () => {
    const raw = (method: string) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { sessionId: uuid(1) } });
    expect(paramsOf(sent(raw('session/resume'))).sessionId).toBe(uuid(1));
    const { sessionId } = paramsOf(sent(raw('session/start')));
    expect(sessionId).not.toBe(uuid(1));
    expect(paramsOf(sent(raw('session/resume'))).sessionId).toBe(sessionId);
  });

  it('whatever the server has named, at any depth', () => {
    bindings.pair('t1', 'T1');
    const raw = JSON.stringify({ method: 'x/y', params: { turnId: 't1', deep: [{ anyOf: ['t1', 't2'] }] } });
    expect(paramsOf(sent(raw))).toEqual({ turnId: 'T1', deep: [{ anyOf: ['T1', 't2'] }] });
  });

  it('an entry of a menu, where it is picked', () => {
    bindings.offer('choice', 'queue', 'c-7');
    bindings.offer('option', 'Yes', 'Aye');
    const raw = JSON.stringify({
      method: 'x/y',
      params: { choiceId: 'queue', ifBusy: 'queue', answers: [{ selectedLabels: ['Yes'], freeText: 'Yes' }] },
    });
    expect(paramsOf(sent(raw))).toEqual({
      choiceId: 'c-7',
      ifBusy: 'queue',
      answers: [{ selectedLabels: ['Aye'], freeText: 'Yes' }],
    });
  });

  it('the stage of an approval, by the server’s number', () => {
    bindings.pair('a1', 'A1');
    bindings.pairStage('a1', 0, '3');
    const raw =
      '{"jsonrpc":"2.0","id":1,"method":"approval/decide","params":{"approvalId":"a1","requirementId":{"approvalId":"a1","sourceIndex":0}}}';
    expect(paramsOf(sent(raw))).toEqual({
      approvalId: 'A1',
      requirementId: { approvalId: 'A1', sourceIndex: 3 },
    });
    expect(paramsOf(sent(raw.replace(':0}', ':1}'))).requirementId.sourceIndex).toBe(1);
  });

  it('paths at and below a workspace root', () => {
    const raw = JSON.stringify({
      method: 'session/start',
      params: { workspaceRoot: '/home/me/p', workspaceRoots: ['/home/me/p', '/srv'] },
    });
    const paths = new WorkspacePaths(workspace);
    expect(paramsOf(sent(raw, { paths }))).toEqual({
      workspaceRoot: workspace,
      workspaceRoots: [workspace, join(workspace, 'root-2')],
    });
    const below = JSON.stringify({
      method: 'x/y',
      params: { path: '/home/me/p/a.txt', other: '/home/me/pp' },
    });
    expect(paramsOf(sent(below, { paths }))).toEqual({
      path: join(workspace, 'a.txt'),
      other: '/home/me/pp',
    });
  });

  it('the text that brings a behaviour about: the first part, and its echo is known', () => {
    const raw = JSON.stringify({
      method: 'turn/start',
      params: {
        input: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
        displayText: 'a',
      },
    });
    expect(paramsOf(sent(raw, { behaviourText: 'go slow' }))).toEqual({
      input: [
        { type: 'text', text: 'go slow' },
        { type: 'text', text: 'b' },
      ],
      displayText: 'a',
    });
    expect(replaced).toEqual([
      ['a', 'go slow'],
      ['b', 'b'],
    ]);
  });
});

describe('what stays byte for byte', () => {
  it('white space, member order, spelling of numbers, escapes, and a carriage return', () => {
    bindings.pair('t1', 'T1');
    const raw =
      '{ "params" : {"n":1.50e0, "turnId":"t1","text":"\\u0041", "n":2} ,"method":"x/y","id":"t1" }\r';
    expect(sent(raw)).toBe(raw.replace('"turnId":"t1"', '"turnId":"T1"'));
  });

  it('free text, even if it is spelled like an id', () => {
    bindings.pair('t1', 'T1');
    const raw = '{"method":"turn/start","params":{"input":[{"type":"text","text":"t1"}],"displayText":"t1"}}';
    expect(sent(raw)).toBe(raw);
  });

  it('what is no JSON', () => {
    expect(sent('{"method":"turn/start"')).toBe('{"method":"turn/start"');
  });

  it('with --ids recorded, ids and paths of the client', () => {
    bindings.pair('t1', 'T1');
    const raw = JSON.stringify({
      method: 'session/start',
      params: { commandId: uuid(1), workspaceRoot: '/home/me', turnId: 't1' },
    });
    expect(sent(raw, { ids: 'recorded' })).toBe(raw.replace('t1', 'T1'));
  });
});

describe('workspace folders', () => {
  it('exist, the first root being the workspace itself', async () => {
    const paths = new WorkspacePaths(workspace);
    expect(paths.live('/a')).toBeUndefined();
    expect(paths.rootFor('/a')).toBe(workspace);
    expect((await stat(paths.rootFor('/b'))).isDirectory()).toBe(true);
    expect(paths.rootFor('/a/below')).toBe(join(workspace, 'below'));
    expect(paths.live('/ab')).toBeUndefined();
  });
});
