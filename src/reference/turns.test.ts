import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json.js';
import { type TestHost, withHost } from './test-host.js';

async function started(on: TestHost, capabilities: JsonObject = {}): Promise<string> {
  await on.client.initialize(capabilities);
  return on.client.startSession();
}

const command =
  (on: TestHost, sessionId: string) =>
  (method: string, members: JsonObject = {}) =>
    on.client.result(method, { sessionId, commandId: v7(), ...members });

describe('turn/start', () => {
  it('runs a turn: the ack, then the story in order, deltas adding up', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      const text = 'a text that is longer than one delta holds, so that it comes in several pieces: ✓ 事件';
      const { turnId } = await on.client.submit(sessionId, text);
      await on.client.event('session/statusChanged', { status: 'idle' });
      const story = on.client.frames.slice(3).map(({ method = 'ack' }) => method);
      expect(story.filter((method) => method !== 'item/delta')).toEqual([
        ...[
          'ack',
          'turn/started',
          'session/statusChanged',
          'item/completed',
          'item/started',
          'item/completed',
        ],
        ...['session/tokenUsage', 'session/contextUsage', 'turn/completed', 'session/statusChanged'],
      ]);
      const deltas = on.client.events('item/delta').map(({ delta }) => delta);
      expect(deltas.length).toBeGreaterThan(1);
      expect(deltas.join('')).toBe(text);
      expect(on.client.events('item/completed')[1]).toMatchObject({ item: { turnId, text, revision: 2 } });
    }));

  it('fails in the view, not on the wire', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      expect(await on.client.run(sessionId, '#fail')).toMatchObject({
        terminal: 'failed',
        error: { kind: 'modelError' },
      });
    }));

  it.each([
    ['no parts', { input: [] }],
    ['a part of no known type', { input: [{ type: 'mention', text: 'x' }] }],
    ['a text part without text', { input: [{ type: 'text' }] }],
    ['an image that is no base64', { input: [{ type: 'image', mediaType: 'image/png', base64Data: '!' }] }],
    [
      'an image of one dimension',
      { input: [{ type: 'image', mediaType: 'image/png', base64Data: 'AAAA', width: 1 }] },
    ],
    ['an unknown disposition', { ifBusy: 'drop' }],
    ['an unknown tier', { reasoningEffort: 'more' }],
    ['no roots', { workspaceRoots: [] }],
    ['null roots', { workspaceRoots: null }],
    ['roots that are not there', { workspaceRoots: ['/no/such/folder'] }],
    ['roots on an explicit steer', { workspaceRoots: ['/'], ifBusy: 'steer' }],
    ['a budget of 0', { tokenBudget: 0 }],
    ['a budget of 1.5', { tokenBudget: 1.5 }],
    ['a null budget', { tokenBudget: null }],
    ['a null shell action', { userShell: null }],
    ['a shell action with text', { userShell: { commandText: 'true' } }],
    [
      'a shell action with a skill',
      { input: [{ type: 'skill', selector: 'greet' }], userShell: { commandText: 'true' } },
    ],
  ])('refuses %s', (_, members) =>
    withHost({}, async (on) => {
      const sessionId = await started(on, { experimentalApi: true, requestedCapabilities: ['userShell'] });
      const input = [{ type: 'text', text: 'hello' }];
      const error = await on.client.refusal('turn/start', { sessionId, commandId: v7(), input, ...members });
      expect(error).toMatchObject({ code: -32602, data: { kind: 'invalidParams' } });
      expect(await on.client.page(sessionId)).toEqual([]);
    }),
  );

  it('takes a shell action alone, from those who may', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on, { requestedCapabilities: ['userShell'] });
      const params = { sessionId, commandId: v7(), input: [], userShell: { commandText: 'exit 3' } };
      const stranger = on.connect();
      await stranger.initialize();
      expect(await stranger.refusal('turn/start', params)).toMatchObject({
        code: -32010,
        data: { capability: 'userShell' },
      });
      await on.client.result('turn/start', params);
      await on.client.event('turn/completed');
      const shell = on.client
        .events('item/completed')
        .map(({ item }) => item as JsonObject)
        .find(({ kind }) => kind === 'userShell');
      expect(shell).toMatchObject({ exitCode: 3, status: 'failed', turnId: null });
    }));

  it('replaces the roots of the session from this turn on', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      await on.client.run(sessionId, 'hello', { workspaceRoots: ['/'] });
      await on.client.run(sessionId, 'again');
      expect(await on.client.result('session/read', { sessionId })).toMatchObject({
        session: { workspaceRoot: '/' },
      });
    }));

  it('cuts a text that is too long for the view, and says so', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      await on.client.run(sessionId, '✓'.repeat(50_000));
      for (const { item } of on.client.events('item/completed')) {
        const { text, truncated } = item as { text: string; truncated?: boolean };
        expect(truncated).toBe(true);
        expect(Buffer.byteLength(text)).toBe(Math.floor((64 * 1024) / 3) * 3);
      }
    }));
});

describe('while a turn runs', () => {
  it('a submit waits, unless it steers or replaces', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      const { turnId } = await on.client.submit(sessionId, '#question');
      const queued = await on.client.submit(sessionId, 'queued');
      expect(queued).toMatchObject({ disposition: 'queued', startedNewTurn: false });
      const steered = await on.client.submit(sessionId, 'to the left', { ifBusy: 'steer' });
      expect(steered).toMatchObject({ disposition: 'steered', startedNewTurn: false, turnId });
      const replaced = await on.client.submit(sessionId, 'instead', { ifBusy: 'replace' });
      expect(replaced).toMatchObject({ disposition: 'started', startedNewTurn: true });
      await on.client.event('turn/completed', { turnId: queued['turnId'] });
      const ends = on.client.events('turn/completed').map(({ turnId, terminal }) => [turnId, terminal]);
      expect(ends).toEqual([
        [turnId, 'cancelled'],
        [replaced['turnId'], 'completed'],
        [queued['turnId'], 'completed'],
      ]);
      const messages = on.client.events('item/completed').map(({ item }) => item as JsonObject);
      expect(messages.filter(({ steered }) => steered === true)).toMatchObject([
        { text: 'to the left', turnId },
      ]);
    }));

  it('turn/steer goes to the turn that it names and to no other', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      const { turnId } = await on.client.submit(sessionId, '#slow');
      const input = [{ type: 'text', text: 'left' }];
      const ack = await command(on, sessionId)('turn/steer', { expectedTurnId: turnId, input });
      expect(ack['turnId']).toBe(turnId);
      const error = await on.client.refusal('turn/steer', {
        sessionId,
        commandId: v7(),
        expectedTurnId: v7(),
        input,
      });
      expect(error.data['reason']).toBe('turn_not_active');
      await on.client.event('item/delta', { delta: '(left) ' });
    }));

  it('a queued turn can be reclaimed before it is launched, and never after', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      const { turnId: running } = await on.client.submit(sessionId, '#question');
      const { turnId } = await on.client.submit(sessionId, 'queued');
      await command(on, sessionId)('turn/unqueue', { turnId });
      expect(await on.client.event('turn/unqueued')).toMatchObject({ turnId, commandId: turnId });
      const error = await on.client.refusal('turn/unqueue', { sessionId, commandId: v7(), turnId: running });
      expect(error.data['reason']).toBe('not_queued');
      await command(on, sessionId)('turn/cancel', { turnId: running });
      await on.client.event('turn/completed', { turnId: running });
      expect(on.client.events('turn/started')).toHaveLength(1);
    }));

  it('a queued turn whose launch fails never starts, and its command is rejected from then on', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      const { turnId: running } = await on.client.submit(sessionId, '#question');
      const params = { sessionId, commandId: v7(), input: [{ type: 'text', text: '#unlaunchable' }] };
      const { turnId } = await on.client.result('turn/start', params);
      await command(on, sessionId)('turn/cancel', { turnId: running });
      expect(await on.client.event('turn/completed', { turnId })).toMatchObject({
        terminal: 'failed',
        error: { kind: 'launchError' },
      });
      expect((await on.client.refusal('turn/start', params)).data['reason']).toBe('deferred_start_failed');
      expect(on.client.events('turn/started')).toHaveLength(1);
    }));

  it('an interrupt takes back what nothing was answered to', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      const { turnId } = await on.client.submit(sessionId, '#question');
      await command(on, sessionId)('turn/interrupt', { turnId, retract: true });
      expect(await on.client.event('turn/completed')).toMatchObject({ terminal: 'cancelled' });
      expect(on.client.events('turn/retracted')).toMatchObject([{ turnId, commandId: turnId }]);
      expect(on.client.events('item/updated')).toMatchObject([
        { item: { kind: 'userMessage', retracted: true } },
      ]);
    }));

  it('an interrupt takes nothing back that was answered to', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      const { turnId } = await on.client.submit(sessionId, '#slow');
      await on.client.event('item/delta');
      await command(on, sessionId)('turn/interrupt', { turnId, retract: true });
      await on.client.event('turn/completed');
      expect(on.client.events('turn/retracted')).toEqual([]);
    }));

  it('background work goes on when the turn is stopped', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      await on.client.run(sessionId, '#background');
      const { turnId } = await on.client.submit(sessionId, '#question');
      await command(on, sessionId)('turn/cancel', { turnId });
      await on.client.event('turn/completed', { turnId });
      const [watch] = on.client.events('item/updated').map(({ item }) => item as JsonObject);
      expect(watch).toMatchObject({ background: true, status: 'inProgress' });
      await command(on, sessionId)('task/stopAll');
      const stopped = await on.client.next(
        ({ method, params }) =>
          method === 'item/completed' &&
          ((params as JsonObject)['item'] as JsonObject)['itemId'] === watch?.['itemId'],
      );
      expect(stopped).toMatchObject({ params: { item: { status: 'cancelled' } } });
    }));
});

describe('goals', () => {
  it('wake a turn where none runs, and are paused by an interrupt', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      const call = command(on, sessionId);
      const commandId = v7();
      const woken = await call('goal/set', { commandId, objective: ' #question goal ' });
      expect(woken['turnId']).toBe(commandId);
      expect(await call('goal/edit', { objective: 'another' })).toMatchObject({ turnId: commandId });
      await call('turn/interrupt', { turnId: commandId });
      await on.client.event('turn/completed', { turnId: commandId });
      expect(on.client.events('session/goalChanged').map(({ goal }) => goal)).toMatchObject([
        { objective: '#question goal', status: 'active' },
        { objective: 'another', status: 'active' },
        { objective: 'another', status: 'paused' },
      ]);
      expect(await call('goal/edit', { objective: 'third' })).not.toHaveProperty('turnId');
      expect(await call('goal/resume')).toHaveProperty('turnId');
      expect(await call('goal/clear')).not.toHaveProperty('turnId');
      expect(on.client.events('session/goalChanged').at(-1)).not.toHaveProperty('goal');
    }));

  it('say nothing when they stay as they are', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      for (const _ of [1, 2]) await command(on, sessionId)('goal/set', { objective: 'same' });
      expect(on.client.events('session/goalChanged')).toHaveLength(1);
    }));

  it.each(['goal/pause', 'goal/resume', 'goal/clear', 'goal/edit'])('%s needs one', (method) =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      const objective = method === 'goal/edit' ? { objective: 'x' } : {};
      const error = await on.client.refusal(method, { sessionId, commandId: v7(), ...objective });
      expect(error.data['reason']).toBe('missing_goal');
    }),
  );

  it('a blank objective, and one where none belongs, are refused', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      for (const [method, objective] of [
        ['goal/set', ' \u2003'],
        ['goal/clear', 'x'],
      ]) {
        const error = await on.client.refusal(method ?? '', { sessionId, commandId: v7(), objective });
        expect(error.code).toBe(-32602);
      }
    }));
});

describe('a turn that a background check holds open', () => {
  it('says that its foreground is done, and ends by itself afterwards', () =>
    withHost({}, async (on) => {
      await on.client.initialize();
      const { session } = await on.client.result('session/start', { commandId: v7() });
      const { sessionId } = session as { sessionId: string };
      await on.client.run(sessionId, '#reminder');
      const methods = on.client.frames.map(({ method }) => method);
      expect(methods.indexOf('turn/foregroundCompleted')).toBeGreaterThan(methods.indexOf('turn/started'));
      expect(methods.indexOf('turn/completed')).toBeGreaterThan(methods.indexOf('turn/foregroundCompleted'));
    }));
});
