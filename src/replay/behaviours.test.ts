import { describe, expect, it } from 'vitest';
import type { Manifest } from '../transcript/scenario.js';
import { failedLaunch } from './behaviours.js';
import { type Line, request, result, scriptOf, turnAck, uuid, viewed } from './testing/scenario.js';

const start = (id: number, more: Record<string, unknown> = {}): Line =>
  request(id, 'turn/start', {
    sessionId: 's',
    commandId: uuid(id),
    input: [{ type: 'text', text: `input ${id}` }],
    ...more,
  });
const ack = (id: number, more: Record<string, unknown> = {}) => result(id, turnAck(uuid(id), more));
const started = (id: number) =>
  viewed('turn/started', 's', `started ${id}`, { turnId: uuid(id), commandId: uuid(id) });
const completed = (id: number, terminal = 'completed') =>
  viewed('turn/completed', 's', `completed ${id}`, { turnId: uuid(id), terminal });
const approval = (id: number): Line => [
  'server',
  { jsonrpc: '2.0', id: 1, method: 'approval/request', params: { turnId: uuid(id) } },
];
const question = (id: number) => viewed('userInput/requested', 's', 'asked', { turnId: uuid(id) });

function behavioursIn(lines: readonly Line[], manifest?: Manifest): Record<number, string | undefined> {
  const { steps } = scriptOf(lines, manifest);
  return Object.fromEntries(
    steps.flatMap((step) => (step.kind === 'client' && step.behaviour ? [[step.line, step.behaviour]] : [])),
  );
}

describe('what a turn must do, read from the recording', () => {
  it.each<[what: string, lines: readonly Line[], behaviours: Record<number, string>]>([
    ['a plain turn: nothing', [start(1), ack(1), started(1), completed(1)], {}],
    ['it failed', [start(1), ack(1), started(1), completed(1, 'failed')], { 1: 'fail' }],
    [
      'it asked for an approval',
      [start(1), ack(1), started(1), approval(1), completed(1)],
      { 1: 'approval' },
    ],
    ['it asked a question', [start(1), ack(1), started(1), question(1), completed(1)], { 1: 'question' }],
    [
      'it was stopped',
      [
        start(1),
        ack(1),
        started(1),
        request(2, 'turn/cancel', { sessionId: 's', turnId: uuid(1) }),
        completed(1, 'cancelled'),
      ],
      { 1: 'slow' },
    ],
    [
      'another input came while it ran',
      [
        start(1),
        ack(1),
        started(1),
        start(2),
        ack(2, { disposition: 'queued' }),
        completed(1),
        started(2),
        completed(2),
      ],
      { 1: 'slow' },
    ],
    [
      'the server was killed while it ran',
      [start(1), ack(1), started(1), ['control', 'crash']],
      { 1: 'slow' },
    ],
    [
      'another session went on',
      [start(1), ack(1), started(1), request(2, 'turn/start', { sessionId: 'other' }), completed(1)],
      {},
    ],
    [
      'it was read while it ran',
      [start(1), ack(1), started(1), request(2, 'session/read', { sessionId: 's' }), completed(1)],
      {},
    ],
    [
      'a steered input has no turn of its own',
      [start(1), ack(1, { disposition: 'steered', turnId: 't' }), completed(1, 'failed')],
      {},
    ],
    ['it never started', [start(1), ack(1, { disposition: 'queued' }), completed(1, 'failed')], {}],
  ])('%s', (_what, lines, behaviours) => {
    expect(behavioursIn(lines)).toEqual(behaviours);
  });

  it('the manifest’s word counts instead', () => {
    const lines = [start(1), ack(1), started(1), completed(1, 'failed'), start(2), ack(2)];
    expect(behavioursIn(lines, { conformance: { behaviours: { 5: 'echo' } } })).toEqual({ 5: 'echo' });
    expect(behavioursIn(lines, { conformance: { requires: { provider: ['slow', 'echo'] } } })).toEqual({
      1: 'slow',
      5: 'echo',
    });
  });

  it('a repeated command goes out with the words of the first', () => {
    const failing = [start(1), ack(1), started(1), completed(1, 'failed')];
    const again = { commandId: uuid(1), input: [{ type: 'text', text: 'input 1' }] };
    expect(behavioursIn([...failing, start(2, again), ack(2)])).toEqual({ 1: 'fail', 5: 'fail' });
    expect(
      behavioursIn([...failing, start(2, again)], { conformance: { behaviours: { 1: 'slow' } } }),
    ).toEqual({ 1: 'slow', 5: 'slow' });
  });

  it('a repeated command with another input keeps it', () => {
    const failing = [start(1), ack(1), started(1), completed(1, 'failed')];
    expect(behavioursIn([...failing, start(2, { commandId: uuid(1) })])).toEqual({ 1: 'fail' });
  });

  it('a failed launch is what no input brings about', () => {
    const asked = new Set([uuid(1)]);
    const { steps } = scriptOf([start(1), ack(1, { disposition: 'queued' }), completed(1, 'failed')]);
    expect(failedLaunch(steps, asked)).toBe(3);
    expect(failedLaunch(steps, new Set())).toBeUndefined();
    expect(
      failedLaunch(scriptOf([start(1), ack(1), started(1), completed(1, 'failed')]).steps, asked),
    ).toBeUndefined();
  });
});
