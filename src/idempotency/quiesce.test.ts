import { describe, expect, it } from 'vitest';
import { hasOpenPrompt, quiesce } from './quiesce.js';
import { ack, sent } from './testing/commands-sent.js';
import { scriptedExchange } from './testing/scripted-exchange.js';
import type { Json } from './testing/server-state.js';

const turn = (id: string, disposition = 'started') =>
  sent('turn/start', { sessionId: 's', commandId: id }, ack({ turnId: id, disposition }));

describe('waiting for quiet', () => {
  it('ends at once without turns', async () => {
    expect(await quiesce(scriptedExchange().exchange, [])).toEqual(new Set());
  });

  it('lasts until every turn that was asked for is over, run or not', async () => {
    const { exchange, tell } = scriptedExchange();
    const quiet = quiesce(exchange, [turn('a'), turn('b', 'queued'), turn('c', 'steered')]);
    tell('turn/completed', { turnId: 'a' });
    tell('turn/unqueued', { turnId: 'b' });
    expect(await quiet).toEqual(new Set());
  });

  it('waits for turns that nobody asked for too, but not for those that follow them', async () => {
    const { exchange, tell } = scriptedExchange();
    tell('turn/started', { turnId: 'woken' });
    const quiet = quiesce(exchange, []);
    tell('turn/completed', { turnId: 'woken' });
    tell('turn/started', { turnId: 'next' });
    expect(await quiet).toEqual(new Set());
  });

  it('ends when a person is waited for, and names what is left open', async () => {
    const { exchange, tell } = scriptedExchange();
    const quiet = quiesce(exchange, [turn('a'), turn('b', 'queued')]);
    tell('approval/requested', { approvalId: 'p', turnId: 'a' });
    expect(await quiet).toEqual(new Set(['a', 'b']));
  });

  it('ends with the time limit when a turn outlasts it', async () => {
    const { exchange } = scriptedExchange({}, 5);
    expect(await quiesce(exchange, [turn('a')])).toEqual(new Set(['a']));
  });
});

describe('an open prompt', () => {
  const asked: [string, Json] = ['approval/requested', { approvalId: 'p', turnId: 't' }];

  it.each<[string, [string, Json][], boolean]>([
    ['none', [], false],
    ['one that was announced', [asked], true],
    ['one that was asked for by a request', [['userInput/request', { userInputId: 'u', turnId: 't' }]], true],
    ['one that was resolved', [asked, ['approval/resolved', { approvalId: 'p' }]], false],
    [
      'a prompt that was settled',
      [
        ['userInput/requested', { userInputId: 'u' }],
        ['userInput/settled', { userInputId: 'u' }],
      ],
      false,
    ],
    ['one whose turn ended', [asked, ['turn/completed', { turnId: 't' }]], false],
    [
      'one of two',
      [
        asked,
        ['approval/requested', { approvalId: 'q', turnId: 't' }],
        ['approval/resolved', { approvalId: 'p' }],
      ],
      true,
    ],
    [
      'one that was asked for again after its end',
      [asked, ['turn/completed', { turnId: 't' }], ['approval/requested', { approvalId: 'p2', turnId: 'u' }]],
      true,
    ],
  ])('%s: %s', (_what, events, isOpen) => {
    const { exchange, tell } = scriptedExchange();
    for (const [method, params] of events) tell(method, params, method.endsWith('/request') ? 1 : undefined);
    expect(hasOpenPrompt(exchange.events)).toBe(isOpen);
  });
});
