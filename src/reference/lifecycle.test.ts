import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json.js';
import { type TestHost, withHost } from './test-host.js';

const start = (on: TestHost, members: JsonObject) =>
  on.client.call('session/start', { commandId: v7(), ...members });

describe('session/start', () => {
  it.each([
    ['a relative root', { workspaceRoot: 'here' }],
    ['null roots', { workspaceRoots: null }],
    ['no roots', { workspaceRoots: [] }],
    ['a root that is not canonical', { workspaceRoots: ['/tmp/..'] }],
    ['two first folders', { workspaceRoot: '/tmp', workspaceRoots: ['/'] }],
    ['a sessionId that is none', { sessionId: '../../etc' }],
    ['an unknown mode', { approvalMode: 'allowSome' }],
    ['a null model', { modelId: null }],
    ['servers of no known transport', { config: { mcpServers: { one: { transport: 'pigeon' } } } }],
  ])('refuses %s', (_, members) =>
    withHost({}, async (on) => {
      await on.client.initialize();
      expect((await start(on, members)).error).toMatchObject({ code: -32602 });
      expect(on.host.sessions.size).toBe(0);
    }),
  );

  it('takes null for what the server chooses, and unknown configuration', () =>
    withHost({}, async (on) => {
      await on.client.initialize();
      const { result } = await start(on, { approvalMode: null, providerId: null, config: { later: true } });
      expect(result).toMatchObject({
        session: { approvalMode: { mode: 'promptUnmatched' }, providerId: 'reference' },
      });
    }));

  it('starts no servers, so nobody may name any', () =>
    withHost({}, async (on) => {
      await on.client.initialize({ requestedCapabilities: ['sessionMcp'] });
      const config = { mcpServers: { one: { transport: 'stdio', command: 'x' } } };
      expect((await start(on, { config })).error).toMatchObject({
        code: -32010,
        data: { capability: 'sessionMcp' },
      });
    }));

  it('is told to every initialized connection before it is answered', () =>
    withHost({}, async (on) => {
      const other = on.connect();
      await Promise.all([on.client.initialize(), other.initialize()]);
      const sessionId = v7();
      const { result } = await start(on, { sessionId });
      expect(on.client.frames.at(-2)).toMatchObject({
        method: 'session/started',
        params: { session: result?.['session'] },
      });
      expect(await other.event('session/started')).toMatchObject({ session: { sessionId } });
    }));
});

describe('an empty session', () => {
  it.each([
    ['is reclaimed by the next host', {}, 'sessionNotFound'],
    ['is kept if its mode is not the usual one', { approvalMode: 'onRequest' }, undefined],
  ])('%s', (_, members, kind) =>
    withHost({}, async (on) => {
      await on.client.initialize();
      const sessionId = await on.client.startSession(members);
      const next = await on.restart();
      await next.client.initialize();
      const { error } = await next.client.call('session/resume', { sessionId, commandId: v7() });
      expect(error?.data['kind']).toBe(kind);
      const { sessions } = await next.client.result('session/list');
      expect((sessions as unknown[]).length).toBe(kind ? 0 : 1);
    }),
  );

  it('is left alone while its host lives', () =>
    withHost({}, async (on) => {
      await on.client.initialize();
      const sessionId = await on.client.startSession();
      const other = on.beside();
      await other.client.initialize();
      expect(await other.client.result('session/read', { sessionId })).toMatchObject({
        session: { sessionId },
      });
    }));
});

describe('session/list', () => {
  it('pages newest first, and filters', () =>
    withHost({}, async (on) => {
      await on.client.initialize();
      const ids: string[] = [];
      for (const [index, name] of ['Alpha one', 'Beta two', 'Alphabet'].entries()) {
        const sessionId = await on.client.startSession({ workspaceRoot: `/w${index}` });
        await on.client.result('session/rename', { sessionId, commandId: v7(), name });
        ids.push(sessionId);
      }
      const list = async (params: JsonObject) => {
        const page = await on.client.result('session/list', params);
        return {
          ...page,
          ids: (page['sessions'] as { sessionId: string }[]).map(({ sessionId }) => sessionId),
        };
      };
      const [first, second, third] = ids;
      const page = await list({ limit: 2 });
      expect(page.ids).toEqual([third, second]);
      expect(await list({ limit: 2, cursor: (page as JsonObject)['nextCursor'] })).toMatchObject({
        ids: [first],
        nextCursor: null,
      });
      expect((await list({ workspaceRoot: '/w1' })).ids).toEqual([second]);
      const filter = { text: { fields: ['name'], anyOf: [' ALPHA ', 'alpha'] } };
      expect(await list({ filter })).toMatchObject({
        ids: [third, first],
        appliedFilter: { text: { anyOf: ['alpha'] } },
      });
      expect((await list({ filter: { text: { fields: ['name'], allOf: ['alpha', 'on'] } } })).ids).toEqual([
        first,
      ]);
      expect((await list({ filter: { sessionId: { anyOf: [String(second).toUpperCase()] } } })).ids).toEqual([
        second,
      ]);
      for (const params of [
        { limit: 0 },
        { limit: 201 },
        { cursor: 'x' },
        { updatedAfter: 'then' },
        { filter: { sessionId: { anyOf: [] } } },
      ]) {
        expect(await on.client.refusal('session/list', params)).toMatchObject({ code: -32602 });
      }
    }));
});

describe('session/fork', () => {
  it('copies history through a turn, and cuts at no other place', () =>
    withHost({}, async (on) => {
      await on.client.initialize();
      const sessionId = await on.client.startSession();
      const { turnId } = await on.client.run(sessionId, 'one');
      await on.client.run(sessionId, 'two');
      const fork = async (members: JsonObject) =>
        on.client.result('session/fork', { sessionId, commandId: v7(), ...members });
      const texts = ({ history }: JsonObject) =>
        (history as { items: JsonObject[] }).items.map(({ text }) => text);
      const cut = await fork({ cutPoint: { lastTurnId: turnId } });
      expect(cut).toMatchObject({ session: { turnCount: 1, forkedFrom: { sessionId, cutExplicit: true } } });
      expect(texts(cut)).toEqual(['one', 'one']);
      expect(texts(await fork({}))).toEqual(['one', 'one', 'two', 'two']);
      const running = await on.client.submit(sessionId, '#question');
      expect(texts(await fork({}))).toEqual(['one', 'one', 'two', 'two']);
      for (const lastTurnId of [running['turnId'], v7()]) {
        const params = { sessionId, commandId: v7(), cutPoint: { lastTurnId } };
        expect(await on.client.refusal('session/fork', params)).toMatchObject({
          code: -32023,
          data: { lastTurnId },
        });
      }
      await on.client.run((cut['session'] as { sessionId: string }).sessionId, 'goes on');
    }));
});

describe('session/sideChat', () => {
  it('opens empty, and is told on the main session', () =>
    withHost({}, async (on) => {
      await on.client.initialize();
      const sessionId = await on.client.startSession();
      await on.client.run(sessionId, 'one');
      const side = await on.client.result('session/sideChat', { sessionId, commandId: v7() });
      expect(side).toMatchObject({ session: { sideFrom: { sessionId } }, history: { items: [] } });
      const sideSessionId = (side['session'] as { sessionId: string }).sessionId;
      expect(on.client.events('item/completed').at(-1)).toMatchObject({
        sessionId,
        item: { kind: 'sideChat', sideSessionId },
      });
      const error = await on.client.refusal('session/sideChat', {
        sessionId: sideSessionId,
        commandId: v7(),
      });
      expect(error.data['reason']).toBe('not_a_main_session');
    }));
});

describe('the list stream', () => {
  it('tells those who asked for it about changed rows', () =>
    withHost({}, async (on) => {
      await on.client.initialize({ requestedCapabilities: ['sessionListStream'] });
      const other = on.connect();
      await other.initialize();
      const sessionId = await on.client.startSession();
      await on.client.result('session/rename', { sessionId, commandId: v7(), name: 'seen' });
      expect(await on.client.event('session/listChanged')).toMatchObject({
        session: { sessionId, name: 'seen' },
      });
      await other.result('session/list');
      expect(other.events('session/listChanged')).toEqual([]);
    }));
});

describe('an ephemeral host', () => {
  it('writes nothing, withholds what needs a log, and keeps every promise while it lives', () =>
    withHost({ isEphemeral: true }, async (on) => {
      expect(await on.client.initialize()).toMatchObject({ sessionDurability: 'ephemeral' });
      const params = { commandId: v7() };
      const first = await on.client.result('session/start', params);
      expect(first).toMatchObject({ session: { path: '' } });
      expect(await on.client.result('session/start', params)).toEqual(first);
      const { sessionId } = first['session'] as { sessionId: string };
      expect(await on.client.run(sessionId, 'hello')).toMatchObject({ terminal: 'completed' });
      for (const method of ['session/resume', 'session/fork', 'session/read', 'session/rename']) {
        const error = await on.client.refusal(method, { sessionId, commandId: v7(), name: 'x' });
        expect(error).toMatchObject({ code: -32601, data: { kind: 'methodNotFound' } });
      }
      expect(await on.client.result('session/list')).toEqual({ sessions: [], nextCursor: null });
      await on.client.result('session/setApprovalMode', {
        sessionId,
        commandId: v7(),
        mode: 'denyUnmatched',
      });
      for (const mode of ['allowAll', 'onRequest']) {
        const error = await on.client.refusal('session/setApprovalMode', {
          sessionId,
          commandId: v7(),
          mode,
        });
        expect(error.data['reason']).toBe('approval_mode_ceiling');
      }
      const { readdir } = await import('node:fs/promises');
      expect(await readdir(on.stateDir)).toEqual([]);
    }));
});

describe('a session that nobody follows', () => {
  it('is unloaded after a while: its end is told to everybody, and a resume brings it back whole', () =>
    withHost({ idleUnloadMs: 0 }, async (on) => {
      const other = on.connect();
      await Promise.all([on.client.initialize(), other.initialize()]);
      const sessionId = v7();
      await start(on, { sessionId });
      await on.client.run(sessionId, 'kept');
      await on.client.result('view/unsubscribe', { sessionId });
      const closed = await other.event('session/closed', { sessionId });
      expect(closed).toMatchObject({ reason: 'idle' });
      expect(await on.client.result('session/list')).toMatchObject({
        sessions: [{ sessionId, status: 'notLoaded', turnCount: 1 }],
      });
      const { session, viewCursor } = await on.client.result('session/resume', {
        sessionId,
        commandId: v7(),
        cursor: closed['viewCursor'],
      });
      expect(session).toMatchObject({ status: 'idle', turnCount: 1 });
      expect(viewCursor).toBeDefined();
    }));

  it('stays loaded while a turn runs or a prompt waits', () =>
    withHost({ idleUnloadMs: 0 }, async (on) => {
      await on.client.initialize();
      const sessionId = v7();
      await start(on, { sessionId });
      await on.client.submit(sessionId, '#approval');
      await on.client.event('approval/requested', { sessionId });
      await on.client.result('view/unsubscribe', { sessionId });
      // Whatever a timer of no length would have done is done after one more of them.
      await new Promise((resolve) => setTimeout(resolve, 0));
      expect(await on.client.result('session/list')).toMatchObject({
        sessions: [{ sessionId, status: 'running' }],
      });
    }));
});
