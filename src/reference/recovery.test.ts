import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json.js';
import { type TestHost, withHost } from './test-host.js';

/** Loads the session on the next host. */
async function resumed(on: TestHost, sessionId: string): Promise<JsonObject> {
  await on.client.initialize();
  return on.client.result('session/resume', { sessionId, commandId: v7() });
}

async function started(on: TestHost): Promise<string> {
  await on.client.initialize();
  return on.client.startSession();
}

const terminals = async (on: TestHost, sessionId: string, turnId: unknown) =>
  (await on.client.page(sessionId))
    .filter(({ method, params }) => method === 'turn/completed' && params['turnId'] === turnId)
    .map(({ params }) => params);

describe('a turn whose host is killed', () => {
  it('gets one terminal at the next load, and its command is abandoned for ever', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      const params = { sessionId, commandId: v7(), input: [{ type: 'text', text: '#slow' }] };
      const { turnId } = await on.client.result('turn/start', params);
      await on.client.event('item/delta');
      const next = await on.crash();
      const { lastTurn, session } = await resumed(next, sessionId);
      expect(lastTurn).toEqual({ turnId, terminal: 'failed', reason: 'crash' });
      expect(session).toMatchObject({ status: 'idle', activeTurnId: null });
      const first = await next.client.refusal('turn/start', params);
      expect(first).toMatchObject({ code: -32030, data: { reason: 'abandoned' } });
      const third = await next.crash();
      await resumed(third, sessionId);
      expect(await third.client.refusal('turn/start', params)).toEqual(first);
      expect(await terminals(third, sessionId, turnId)).toHaveLength(1);
    }));

  it('leaves no item open and gives no cursor twice', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      await on.client.run(sessionId, '#background');
      await on.client.run(sessionId, '#workflow');
      await on.client.submit(sessionId, '#task');
      await on.client.submit(sessionId, '#slow', { ifBusy: 'replace' });
      await on.client.event('item/delta', {});
      const next = await on.crash();
      const { history } = await resumed(next, sessionId);
      const open = (history as { items: JsonObject[] }).items.filter(({ status }) => status === 'inProgress');
      expect(open).toEqual([]);
      await next.client.run(sessionId, 'hello');
      const live = [...on.client.frames, ...next.client.frames].filter(
        ({ method, id }) => id === undefined && method !== 'session/statusChanged',
      );
      const byCursor = new Map<unknown, Set<string>>();
      for (const { params } of live) {
        const { viewCursor } = params as JsonObject;
        if (viewCursor !== undefined)
          byCursor.set(viewCursor, (byCursor.get(viewCursor) ?? new Set()).add(JSON.stringify(params)));
      }
      expect([...byCursor.values()].filter((events) => events.size > 1)).toEqual([]);
    }));
});

describe('a queued turn', () => {
  it.each(['restart', 'crash'] as const)(
    'survives a %s and is launched once, after the load is answered',
    (end) =>
      withHost({}, async (on) => {
        const sessionId = await started(on);
        await on.client.submit(sessionId, '#question');
        const params = { sessionId, commandId: v7(), input: [{ type: 'text', text: 'later' }] };
        const ack = await on.client.result('turn/start', params);
        expect(ack).toMatchObject({ disposition: 'queued', startedNewTurn: false });
        const next = await on[end]();
        await resumed(next, sessionId);
        await next.client.event('turn/completed', { turnId: ack['turnId'] });
        expect(next.client.events('turn/started')).toHaveLength(1);
        expect(await next.client.result('turn/start', params)).toEqual(ack);
        const third = await next.crash();
        await resumed(third, sessionId);
        const page = await third.client.page(sessionId);
        const ofTurn = page
          .filter(({ params }) => params['turnId'] === ack['turnId'])
          .map(({ method }) => method);
        expect(ofTurn.filter((method) => method.startsWith('turn/'))).toEqual([
          'turn/started',
          'turn/completed',
        ]);
      }),
  );

  it('is listed for late joiners', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      await on.client.submit(sessionId, '#question');
      const { turnId } = await on.client.submit(sessionId, 'later', { displayText: 'shown' });
      const { history } = await on.client.result('session/resume', {
        sessionId,
        commandId: v7(),
        history: 'snapshot',
      });
      expect(history).toMatchObject({
        snapshot: { state: { queuedTurns: [{ turnId, displayText: 'shown' }] } },
      });
    }));
});

describe('a pending approval', () => {
  const asked = async (on: TestHost) =>
    (await on.client.next(({ method }) => method === 'approval/request'))['params'] as JsonObject;
  const decision = (sessionId: string, request: JsonObject) => ({
    sessionId,
    commandId: v7(),
    approvalId: request['approvalId'],
    requirementId: request['currentRequirementId'],
    choiceId: 'allow_once',
  });

  it('is asked again after a resume on a live host, under the same id', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      await on.client.submit(sessionId, '#approval');
      const request = await asked(on);
      const other = on.connect();
      await other.initialize();
      const { pendingRequests } = await other.result('session/resume', { sessionId, commandId: v7() });
      const { approvalId, viewCursor } = request;
      expect(pendingRequests).toEqual([{ kind: 'approval', approvalId, viewCursor }]);
      const again = await other.next(({ method }) => method === 'approval/request');
      expect(again['params']).toEqual(request);
    }));

  it('is closed by a kill and opened anew, so that its turn goes on', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      const params = { sessionId, commandId: v7(), input: [{ type: 'text', text: '#approval' }] };
      const ack = await on.client.result('turn/start', params);
      const old = await asked(on);
      const next = await on.crash();
      const { session, pendingRequests } = await resumed(next, sessionId);
      expect(session).toMatchObject({ status: 'running', activeTurnId: ack['turnId'] });
      const request = await asked(next);
      expect(pendingRequests).toMatchObject([{ approvalId: request['approvalId'] }]);
      expect(request['approvalId']).not.toBe(old['approvalId']);
      expect(await next.client.refusal('approval/decide', decision(sessionId, old))).toMatchObject({
        code: -32051,
      });
      expect(await next.client.result('turn/start', params)).toEqual(ack);
      await next.client.result('approval/decide', decision(sessionId, request));
      expect(await next.client.event('turn/completed')).toMatchObject({
        turnId: ack['turnId'],
        terminal: 'completed',
      });
      expect(await terminals(next, sessionId, ack['turnId'])).toHaveLength(1);
    }));

  it('ends with its turn at an orderly end', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      const { turnId } = await on.client.submit(sessionId, '#approval');
      const next = await on.restart();
      expect(await resumed(next, sessionId)).toMatchObject({
        pendingRequests: [],
        lastTurn: { turnId, terminal: 'cancelled' },
      });
    }));
});

describe('an orderly end', () => {
  it('cancels what runs, settles its command with the ack, and tells everybody', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      const params = { sessionId, commandId: v7(), input: [{ type: 'text', text: '#slow' }] };
      const ack = await on.client.result('turn/start', params);
      await on.client.event('item/delta');
      const next = await on.restart();
      expect(on.client.events('turn/completed')).toMatchObject([
        { terminal: 'cancelled', reason: 'hostShutdown' },
      ]);
      const [closed] = on.client.events('session/closed');
      expect(closed).toMatchObject({ sessionId, reason: 'hostShutdown' });
      await next.client.initialize();
      const cursor = closed?.['viewCursor'];
      const { viewCursor } = await next.client.result('session/resume', {
        sessionId,
        commandId: v7(),
        cursor,
      });
      expect(viewCursor).toBe(cursor);
      expect(await next.client.result('turn/start', params)).toEqual(ack);
    }));
});

describe('what was changed', () => {
  it.each(['restart', 'crash'] as const)('is still so after a %s', (end) =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      const call = (method: string, members: JsonObject) =>
        on.client.result(method, { sessionId, commandId: v7(), ...members });
      await call('session/rename', { name: 'kept' });
      await call('session/setModel', { model: { modelId: 'reference-small' } });
      await call('session/setApprovalMode', { mode: 'onRequest' });
      await call('session/setReasoningEffort', { reasoningEffort: 'high' });
      await call('goal/set', { objective: 'keep' });
      await on.client.run(sessionId, '#todo');
      await on.client.run(sessionId, '#branch topic');
      const snapshot = async (of: TestHost) => {
        const params = { sessionId, commandId: v7(), history: 'snapshot' };
        const { history } = await of.client.result('session/resume', params);
        const { state } = (history as { snapshot: { state: JsonObject } }).snapshot;
        return { ...state, approvalMode: { ...(state['approvalMode'] as JsonObject), source: 'any' } };
      };
      const before = await snapshot(on);
      const next = await on[end]();
      await next.client.initialize();
      expect(await snapshot(next)).toEqual(before);
      expect(await next.client.result('session/list')).toMatchObject({
        sessions: [{ sessionId, name: 'kept', branch: 'topic' }],
      });
    }),
  );
});

describe('a session that another host has', () => {
  it('cannot be loaded or commanded here, but read', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      await on.client.run(sessionId, 'hello');
      const other = on.beside();
      await other.client.initialize();
      for (const [method, members] of [
        ['session/resume', {}],
        ['turn/cancel', {}],
      ] as const) {
        const error = await other.client.refusal(method, { sessionId, commandId: v7(), ...members });
        expect(error).toMatchObject({ code: -32021, data: { kind: 'sessionInUse' } });
      }
      expect(await other.client.result('session/read', { sessionId })).toMatchObject({
        session: { status: 'notLoaded', turnCount: 1 },
      });
    }));

  it('is not loaded after that host has ended, until it is resumed', () =>
    withHost({}, async (on) => {
      const sessionId = await started(on);
      await on.client.run(sessionId, 'hello');
      const next = await on.restart();
      await next.client.initialize();
      expect(await next.client.refusal('goal/pause', { sessionId, commandId: v7() })).toMatchObject({
        code: -32024,
      });
      expect(await next.client.refusal('view/subscribe', { sessionId })).toMatchObject({ code: -32024 });
      expect(await next.client.refusal('goal/pause', { sessionId: v7(), commandId: v7() })).toMatchObject({
        code: -32020,
      });
    }));
});
