import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findScenarios } from '../transcript/find-scenarios.js';
import { loadScenario } from '../transcript/load-scenario.js';
import type { Scenario } from '../transcript/scenario.js';
import { decodeFrame } from '../wire/decode.js';
import { rewriteStrings } from '../wire/rewrite.js';
import type { MockFailure } from './mock-report.js';
import { Player } from './player.js';
import { answer, COMMAND, CONVERSATION, note, request, SESSION, scenarioOf } from './testing/scenarios.js';

const corpus = join(import.meta.dirname, '../../../shared/corpus');

describe.skipIf(!existsSync(corpus))(
  'the golden corpus (skipped where it is not beside the repository)',
  () => {
    it('is played byte for byte to a client that says what was recorded', async () => {
      const scenarios = await Promise.all((await findScenarios([corpus])).map(loadScenario));
      expect(scenarios.length).toBeGreaterThan(20);
      for (const scenario of scenarios) {
        const { sent, failure } = converse(scenario, clientLines(scenario));
        expect(failure, scenario.id).toBeUndefined();
        expect(sent, scenario.id).toEqual(rawOf(scenario, 'server'));
      }
    });
  },
);

describe('a client that keeps to the script', () => {
  it.each<[string, (line: string) => string]>([
    [
      'has its own name, version and title',
      swap('"name":"a","version":"1"', '"version":"7","title":"T","name":"me"'),
    ],
    ['mints other command ids', swap(COMMAND, 'mine', 5)],
    [
      'sends a trace context',
      swap('"method":"initialize"', '"method":"initialize","trace":{"traceparent":"x"}'),
    ],
    [
      'orders members and spaces as it likes',
      (line) => JSON.stringify(reversed(JSON.parse(line)), null, 1).replaceAll('\n', ' '),
    ],
    ['ends its lines with CR', (line) => `${line}\r`],
    ['writes numbers in another way', (line) => line.replace(/"id":(\d)/, '"id":$1.0')],
    ['sends empty lines', (line) => `\n${line}`],
  ])('%s', (_, change) => {
    const lines = clientLines(CONVERSATION)
      .map(change)
      .flatMap((line) => line.split('\n'));
    const { sent, failure } = converse(CONVERSATION, lines);
    expect(failure).toBeUndefined();
    expect(sent).toEqual(rawOf(CONVERSATION, 'server'));
  });

  it('numbers its requests as it likes, and gets its own ids back with all else as recorded', () => {
    const scenario = scenarioOf(
      ['client', request(1, 'a')],
      ['client', request(2, 'b')],
      ['server', '{ "result": {"id":2, "n":1.0},  "id":2 , "jsonrpc":"2.0"}'],
      ['server', answer(1)],
    );
    const { sent } = converse(scenario, [
      '{"jsonrpc":"2.0","id":"x","method":"a"}',
      '{"jsonrpc":"2.0","id":9,"method":"b"}',
    ]);
    expect(sent).toEqual([
      '{ "result": {"id":2, "n":1.0},  "id":9 , "jsonrpc":"2.0"}',
      JSON.stringify(answer('x')),
    ]);
  });

  it('may use a request id again after its answer', () => {
    const lines = clientLines(CONVERSATION).map((line) =>
      line.replace(/"id":[1-4],"method"/, '"id":0,"method"'),
    );
    expect(converse(CONVERSATION, lines).failure).toBeUndefined();
  });

  it('is not judged after the end', () => {
    const lines = [...clientLines(CONVERSATION), '{"anything":1}', 'at all'];
    expect(converse(CONVERSATION, lines)).toMatchObject({ failure: undefined, isComplete: true });
  });
});

describe('a client that leaves the script is never answered', () => {
  it.each<[string, number, (line: string) => string, Partial<MockFailure>]>([
    ['another method', 3, swap('session/start', 'session/resume'), at('/method')],
    ['a member too many', 3, swap('"workspaceRoot"', '"extra":1,"workspaceRoot"'), at('/params/extra')],
    ['a member missing', 3, swap(',"workspaceRoot":"/w"', ''), at('/params/workspaceRoot')],
    ['another value', 3, swap('"/w"', '"/v"'), at('/params/workspaceRoot')],
    ['a name that is no string', 1, swap('"name":"a"', '"name":1'), at('/params/clientInfo/name')],
    [
      'a value from the wire that is not given back exactly',
      4,
      swap(SESSION, SESSION.toUpperCase()),
      at('/params/sessionId'),
    ],
    [
      'one command id for two commands',
      4,
      swap(COMMAND, '018f6a32-2222-7000-8000-0000000000b2'),
      at('/params/commandId'),
    ],
    [
      'two command ids for one command',
      6,
      swap('018f6a32-2222-7000-8000-0000000000b2', 'other'),
      at('/params/commandId'),
    ],
    [
      'a command id that is no string',
      4,
      swap(`"commandId":"${COMMAND}"`, '"commandId":7'),
      at('/params/commandId'),
    ],
    ['a receipt under another id', 5, swap('"id":1', '"id":2'), at('/id')],
    ['a notification in place of a request', 3, swap('"id":2,', ''), at('/id')],
    ['a member twice', 3, swap('"method"', '"method":"session/start","method"'), at('/method')],
    ['what is no JSON', 3, () => '{"jsonrpc"', { problem: 'malformedClientFrame' }],
    ['what is no frame', 3, () => '{"jsonrpc":"2.0"}', { problem: 'malformedClientFrame' }],
  ])('%s', (_, ordinal, change, expected) => {
    const lines = clientLines(CONVERSATION);
    lines[ordinal - 1] = change(lines[ordinal - 1] ?? '');
    const { failure, sent } = converse(CONVERSATION, lines);
    const before = CONVERSATION.steps.filter(({ line }) => line < (failure?.line ?? 0));
    expect(failure).toMatchObject({ problem: 'frameDivergence', received: lines[ordinal - 1], ...expected });
    expect(sent).toEqual(rawOf({ ...CONVERSATION, steps: before }, 'server'));
  });

  it('two requests in flight under one id', () => {
    const scenario = scenarioOf(['client', request(1, 'a')], ['client', request(2, 'b')]);
    const { failure } = converse(scenario, [
      JSON.stringify(request(1, 'a')),
      JSON.stringify(request(1, 'b')),
    ]);
    expect(failure).toMatchObject(at('/id'));
  });

  it('ends too early', () => {
    const player = new Player(CONVERSATION);
    player.start();
    expect(player.end()).toMatchObject([
      { kind: 'fail', failure: { problem: 'clientEof', line: 1, differences: [] } },
    ]);
  });

  it('any string of any frame changed, its own choices apart', () => {
    const places = clientLines(CONVERSATION).flatMap((line, index) =>
      stringPlaces(line).map((path) => ({ index, path })),
    );
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.string(), ({ index, path }, text) => {
        const lines = clientLines(CONVERSATION);
        const changed = rewriteStrings(lines[index] ?? '', (at, value) =>
          at.join() === path.join() && value !== text ? text : undefined,
        );
        fc.pre(changed !== lines[index]);
        lines[index] = changed;
        const { failure } = converse(CONVERSATION, lines);
        const isFrame = decodeFrame(changed).message.kind !== 'invalid';
        expect(failure?.problem).toBe(isFrame ? 'frameDivergence' : 'malformedClientFrame');
        if (isFrame) expect(failure?.differences[0]?.path).toBe(`/${path.join('/')}`);
      }),
    );
  });
});

describe('frames that were recorded malformed', () => {
  const scenario = scenarioOf(
    ['client', '{"no json'],
    ['server', note('x')],
    ['client', '[1]'],
    ['server', note('y')],
  );

  it.each([
    ['the same text', ['{"no json', '[1]'], 2],
    ['the same value', ['{"no json\r', '[ 1.0 ]'], 2],
    ['other text', ['{"no jsom'], 0],
    ['another value', ['{"no json', '[2]'], 1],
  ])('%s', (_, lines, answers) => {
    expect(converse(scenario, lines).sent).toHaveLength(answers);
  });
});

describe('a later life', () => {
  it('goes on behind the control line and remembers what the client made up', () => {
    const scenario = scenarioOf(
      ['client', request(1, 'turn/start', { commandId: COMMAND })],
      ['server', answer(1)],
      'restart',
      ['client', request(1, 'turn/start', { commandId: COMMAND })],
      ['server', answer(1, { again: true })],
    );
    const mine = JSON.stringify(request(5, 'turn/start', { commandId: 'mine' }));
    const first = new Player(scenario);
    first.start();
    expect(first.receive(Buffer.from(mine)).at(-1)).toEqual({ kind: 'control', op: 'restart' });
    const second = new Player(scenario, JSON.parse(JSON.stringify(first.progress)));
    second.start();
    expect(second.receive(Buffer.from(mine))).toMatchObject([{ kind: 'send' }, { kind: 'complete' }]);
    const third = new Player(scenario, first.progress);
    third.start();
    expect(third.receive(Buffer.from(mine.replace('mine', 'other')))).toMatchObject([
      { kind: 'fail', failure: at('/params/commandId') },
    ]);
  });
});

function converse(scenario: Scenario, lines: readonly string[]) {
  const player = new Player(scenario);
  const acts = player.start();
  for (const line of lines) {
    if (acts.at(-1)?.kind === 'fail') break;
    acts.push(...player.receive(Buffer.from(line)));
  }
  return {
    sent: acts.flatMap((act) => (act.kind === 'send' ? [act.raw] : [])),
    failure: acts.flatMap((act) => (act.kind === 'fail' ? [act.failure] : []))[0],
    isComplete: acts.some(({ kind }) => kind === 'complete'),
  };
}

function rawOf(scenario: Scenario, side: 'client' | 'server'): string[] {
  return scenario.steps.flatMap((step) => (step.dir === side ? [step.raw] : []));
}

function clientLines(scenario: Scenario): string[] {
  return rawOf(scenario, 'client');
}

function at(path: string): Partial<MockFailure> {
  return { problem: 'frameDivergence', differences: [expect.objectContaining({ path })] };
}

/** Replaces in every line, or in the first `times` places of each. */
function swap(from: string, to: string, times = 1): (line: string) => string {
  return (line) => Array.from({ length: times }).reduce<string>((text) => text.replace(from, to), line);
}

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(reversed);
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

function stringPlaces(line: string): string[][] {
  const places: string[][] = [];
  rewriteStrings(line, (path) => {
    if (path[1] !== 'clientInfo' && path[1] !== 'commandId') places.push(path.map(String));
    return undefined;
  });
  return places;
}
