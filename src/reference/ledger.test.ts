import { v4, v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import type { InMemoryClient } from './in-memory-client.js';
import type { JsonObject } from './json.js';
import { type TestHost, withHost } from './test-host.js';

const HELLO = [{ type: 'text', text: 'hello' }];

/** A session with a goal and a finished turn, as most commands need it. */
async function prepared({ client }: TestHost): Promise<string> {
  await client.initialize({ requestedCapabilities: ['userShell'] });
  const sessionId = await client.startSession();
  await client.result('goal/set', { sessionId, commandId: v7(), objective: 'first' });
  return sessionId;
}

/** One command of each kind with the payload that it comes with again, and another payload. */
const COMMANDS: readonly (readonly [string, JsonObject, JsonObject])[] = [
  ['turn/start', { input: HELLO }, { input: [{ type: 'text', text: 'hullo' }] }],
  ['goal/edit', { objective: 'a' }, { objective: 'b' }],
  ['session/rename', { name: 'a' }, { name: 'b' }],
  ['session/setModel', { model: { modelId: 'reference-small' } }, { model: { modelId: 'reference-large' } }],
  ['session/setApprovalMode', { mode: 'onRequest' }, { mode: 'allowAll' }],
  ['session/userShell', { commandText: 'echo a' }, { commandText: 'echo b' }],
  [
    'skill/setActivation',
    { selector: 'greet', scope: 'user', activation: 'off' },
    { selector: 'greet', scope: 'user', activation: 'on' },
  ],
  ['session/resume', {}, { excludeItems: true }],
  ['session/fork', {}, { excludeItems: true }],
  ['session/sideChat', {}, {}],
];

async function view(client: InMemoryClient, sessionId: string): Promise<readonly JsonObject[]> {
  return (await client.page(sessionId)).map(({ params }) => params);
}

describe('a command that comes again', () => {
  it.each(COMMANDS)('%s: gets the same ack and has no second effect', (method, members) =>
    withHost({}, async (on) => {
      const sessionId = await prepared(on);
      const params = { sessionId, commandId: v7(), ...members };
      const first = await on.client.call(method, params);
      const before = await view(on.client, sessionId);
      expect(await on.client.call(method, params)).toMatchObject({ result: first.result });
      const reordered = Object.fromEntries(Object.entries({ ...params, futureMember: 1 }).reverse());
      expect((await on.client.call(method, reordered)).result).toEqual(first.result);
      expect(await view(on.client, sessionId)).toEqual(before);
    }),
  );

  it.each(
    COMMANDS.filter(([, same, other]) => same !== other && JSON.stringify(same) !== JSON.stringify(other)),
  )('%s: with another payload is a conflict, after which the first one stands', (method, members, other) =>
    withHost({}, async (on) => {
      const sessionId = await prepared(on);
      const params = { sessionId, commandId: v7(), ...members };
      const first = await on.client.result(method, params);
      const before = await view(on.client, sessionId);
      const error = await on.client.refusal(method, { ...params, ...other });
      expect(error).toMatchObject({
        code: -32030,
        data: { reason: 'command_id_conflict', commandId: params.commandId },
      });
      expect(await on.client.result(method, params)).toEqual(first);
      expect(await view(on.client, sessionId)).toEqual(before);
    }),
  );

  it.each(COMMANDS)('%s: is known after a restart, and after a kill', (method, members) =>
    withHost({}, async (on) => {
      const sessionId = await prepared(on);
      const params = { sessionId, commandId: v7(), ...members };
      const first = await on.client.result(method, params);
      const restarted = await on.restart();
      await restarted.client.initialize({ requestedCapabilities: ['userShell'] });
      await restarted.client.result('session/resume', { sessionId, commandId: v7() });
      expect(await restarted.client.result(method, params)).toEqual(first);
      const killed = await restarted.crash();
      await killed.client.initialize({ requestedCapabilities: ['userShell'] });
      await killed.client.result('session/resume', { sessionId, commandId: v7() });
      expect(await killed.client.result(method, params)).toEqual(first);
      expect(await killed.client.refusal(method, { ...params, sessionId: v7() })).toBeDefined();
    }),
  );

  it('twice in one write has one effect', () =>
    withHost({}, async (on) => {
      const sessionId = await prepared(on);
      const frame = (id: number) =>
        `${JSON.stringify({ jsonrpc: '2.0', id, method: 'turn/start', params: { sessionId, commandId, input: HELLO } })}\n`;
      const commandId = v7();
      on.client.methods.set(100, 'turn/start').set(101, 'turn/start');
      on.client.sendText(frame(100) + frame(101));
      const [one, other] = await Promise.all([100, 101].map((id) => on.client.next((f) => f['id'] === id)));
      expect(other?.['result']).toEqual(one?.['result']);
      const started = (await on.client.page(sessionId)).filter(
        ({ params }) => params['commandId'] === commandId,
      );
      expect(started).toHaveLength(1);
    }));

  it('keeps digits apart that a double cannot', () =>
    withHost({}, async (on) => {
      await on.client.initialize({ experimentalApi: true });
      const sessionId = await on.client.startSession();
      const commandId = v7();
      const send = async (id: number, budget: string) => {
        const params = JSON.stringify({ sessionId, commandId, input: HELLO, tokenBudget: 0 }).replace(
          ':0}',
          `:${budget}}`,
        );
        on.client.methods.set(id, 'turn/start');
        on.client.sendText(`{"jsonrpc":"2.0","id":${id},"method":"turn/start","params":${params}}\n`);
        return on.client.next((frame) => frame['id'] === id);
      };
      expect((await send(50, '9007199254740993'))['result']).toBeDefined();
      expect((await send(51, '9007199254740993.0'))['result']).toBeDefined();
      expect((await send(52, '9007199254740992'))['error']).toBeDefined();
    }));

  it('on another method of the session is a conflict', () =>
    withHost({}, async (on) => {
      const sessionId = await prepared(on);
      const commandId = v7();
      await on.client.result('session/rename', { sessionId, commandId, name: 'a' });
      const error = await on.client.refusal('turn/cancel', { sessionId, commandId });
      expect(error.data['reason']).toBe('command_id_conflict');
    }));
});

describe('session/start that comes again', () => {
  it.each(['restart', 'crash'] as const)('after a %s finds its session, even one that was reclaimed', (end) =>
    withHost({}, async (on) => {
      await on.client.initialize();
      const params = { commandId: v7() };
      const first = await on.client.result('session/start', params);
      const { sessionId } = first['session'] as { sessionId: string };
      const next = await on[end]();
      await next.client.initialize();
      expect((await next.client.refusal('session/resume', { sessionId, commandId: v7() })).data['kind']).toBe(
        'sessionNotFound',
      );
      expect(await next.client.result('session/start', params)).toEqual(first);
      expect(await next.client.refusal('session/start', { ...params, workspaceRoot: '/' })).toMatchObject({
        data: { reason: 'command_id_conflict' },
      });
      await next.client.run(sessionId, 'hello');
    }),
  );

  it('on two connections at once makes one session', () =>
    withHost({}, async (on) => {
      const other = on.connect();
      await Promise.all([on.client.initialize(), other.initialize()]);
      const params = { commandId: v7() };
      const [one, two] = await Promise.all(
        [on.client, other].map((client) => client.result('session/start', params)),
      );
      expect(two).toEqual(one);
      expect(on.host.sessions.size).toBe(1);
    }));

  it('with the id of a session that there is gets the same rejection for ever', () =>
    withHost({}, async (on) => {
      await on.client.initialize();
      const sessionId = await on.client.startSession();
      await on.client.run(sessionId, 'hello');
      const params = { commandId: v7(), sessionId };
      const first = await on.client.refusal('session/start', params);
      expect(first).toMatchObject({ code: -32030, data: { reason: 'session_id_conflict' } });
      expect(await on.client.refusal('session/start', params)).toEqual(first);
      const next = await on.crash();
      await next.client.initialize();
      expect(await next.client.refusal('session/start', params)).toEqual(first);
    }));
});

describe('a rejection', () => {
  const REJECTED: readonly (readonly [string, JsonObject, string])[] = [
    ['turn/unqueue', { turnId: v7() }, 'not_queued'],
    ['turn/steer', { expectedTurnId: v7(), input: HELLO }, 'turn_not_active'],
    ['session/setModel', { model: { modelId: 'no-such' } }, 'unknown_model'],
    ['session/rename', { name: '  ' }, 'invalid_name'],
    ['subagent/stop', { subagentId: 'no-such' }, 'unknown_subagent'],
    ['workflow/cancel', { workflowRunId: 'no-such' }, 'unknown_workflow'],
    ['task/background', { taskId: v7() }, 'unknown_task'],
    ['turn/cancel', { turnId: v7(), retract: true }, 'not_paired_interrupt'],
    ['turn/interrupt', {}, 'missing_run'],
  ];

  it.each(REJECTED)('of %s with %j is %s, now and always', (method, members, reason) =>
    withHost({}, async (on) => {
      const sessionId = await prepared(on);
      const params = { sessionId, commandId: v7(), ...members };
      const first = await on.client.refusal(method, params);
      expect(first).toMatchObject({
        code: -32030,
        data: { kind: 'commandRejected', reason, commandId: params.commandId },
      });
      expect(await on.client.refusal(method, params)).toEqual(first);
      const next = await on.restart();
      await next.client.initialize();
      await next.client.result('session/resume', { sessionId, commandId: v7() });
      expect(await next.client.refusal(method, params)).toEqual(first);
    }),
  );

  it('stands when what it was about has changed', () =>
    withHost({}, async (on) => {
      await on.client.initialize();
      const sessionId = await on.client.startSession();
      const params = { sessionId, commandId: v7() };
      const first = await on.client.refusal('goal/pause', params);
      await on.client.result('goal/set', { sessionId, commandId: v7(), objective: 'now there is one' });
      expect(await on.client.refusal('goal/pause', params)).toEqual(first);
    }));

  it('is not what a typed error is: that settles nothing', () =>
    withHost({}, async (on) => {
      const sessionId = await prepared(on);
      const params = { sessionId, commandId: v7(), input: [{ type: 'skill', selector: 'greet' }] };
      await on.client.result('skill/setActivation', {
        sessionId,
        commandId: v7(),
        selector: 'greet',
        scope: 'bundled',
        activation: 'off',
      });
      expect((await on.client.refusal('turn/start', params)).data['kind']).toBe('skillNotFound');
      await on.client.result('skill/setActivation', {
        sessionId,
        commandId: v7(),
        selector: 'greet',
        scope: 'bundled',
        activation: 'on',
      });
      await on.client.result('turn/start', params);
    }));
});

describe('a commandId', () => {
  it.each([{}, { commandId: null }, { commandId: 7 }, { commandId: 'x' }, { commandId: v4() }])(
    '%j is refused',
    (id) =>
      withHost({}, async (on) => {
        const sessionId = await prepared(on);
        const before = await view(on.client, sessionId);
        const error = await on.client.refusal('turn/start', { sessionId, input: HELLO, ...id });
        expect(error).toMatchObject({ code: -32602, data: { kind: 'invalidParams' } });
        expect(await view(on.client, sessionId)).toEqual(before);
      }),
  );
});

describe('commands without a carrier', () => {
  it('are known while the host lives, and answer without effect after a restart', () =>
    withHost({}, async (on) => {
      await on.client.initialize();
      const sessionId = await on.client.startSession();
      const { turnId } = await on.client.submit(sessionId, '#question');
      const params = { sessionId, commandId: v7(), turnId };
      const first = await on.client.result('turn/cancel', params);
      expect(await on.client.result('turn/cancel', params)).toEqual(first);
      expect(
        (await on.client.refusal('turn/cancel', { sessionId, commandId: params.commandId })).data['reason'],
      ).toBe('command_id_conflict');
      const next = await on.restart();
      await next.client.initialize();
      await next.client.result('session/resume', { sessionId, commandId: v7() });
      const newer = await next.client.submit(sessionId, '#question');
      const before = await view(next.client, sessionId);
      expect(await next.client.result('turn/cancel', params)).toEqual(first);
      expect(await view(next.client, sessionId)).toEqual(before);
      await next.client.result('turn/cancel', { sessionId, commandId: v7(), turnId: newer['turnId'] });
    }));
});
