import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressOf, Client, type Frame, spawnServer } from './other-server/client.js';
import { hasBundle, makeJudge } from './other-server/validity.js';

const SLOW = 'please take your time';
const LONG = { OTHER_SLOW_MS: '600000' };

const judge = hasBundle ? makeJudge() : undefined;

let stateDir: string;
let running: ChildProcess[];
let clients: Client[];

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  running = [];
  clients = [];
});

afterEach(async () => {
  await Promise.all(running.map(kill));
  await rm(stateDir, { recursive: true, force: true });
  if (judge === undefined) return;
  expect(clients.flatMap(({ received }) => received.flatMap(judge))).toEqual([]);
});

if (judge === undefined) console.warn('other-server: no schema bundle at hand, its frames are not validated');

interface Setup {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

interface Running {
  readonly server: ChildProcess;
  readonly client: Client;
}

async function start(setup: Setup = {}): Promise<Running> {
  const server = launch(setup);
  if (server.stdout === null || server.stdin === null) throw new Error('the server has no pipes');
  const client = known(new Client(server.stdout, server.stdin));
  await client.greet();
  return { server, client };
}

function launch(setup: Setup): ChildProcess {
  const server = spawnServer({ stateDir, ...setup });
  running.push(server);
  return server;
}

function known(client: Client): Client {
  clients.push(client);
  return client;
}

async function kill(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGKILL');
  await once(server, 'close');
}

async function stop({ server, client }: Running): Promise<number | null> {
  client.end();
  const [code] = await once(server, 'close');
  return code;
}

async function openSession(client: Client): Promise<string> {
  const { result } = await client.command('session/start', { workspaceRoot: stateDir });
  return result.session.sessionId;
}

async function resumed(client: Client, sessionId: string): Promise<Frame> {
  const { result } = await client.command('session/resume', { sessionId });
  return result;
}

function turn(sessionId: string, text: string): Frame {
  return { sessionId, commandId: v7(), input: [{ type: 'text', text }] };
}

function of(events: Frame[], method: string, turnId: string): Frame[] {
  return events.filter((event) => event['method'] === method && event['params'].turnId === turnId);
}

function bodyOf(frame: Frame): unknown {
  return 'result' in frame ? frame['result'] : frame['error'];
}

function rejectionOf(frame: Frame): unknown {
  return [frame['error']?.code, frame['error']?.data.kind, frame['error']?.data.reason];
}

const CONFLICT = [-32030, 'commandRejected', 'command_id_conflict'];
const ABANDONED = [-32030, 'commandRejected', 'abandoned_by_recovery'];

interface Sent {
  readonly method: string;
  readonly params: Frame;
  readonly answer: unknown;
}

/** Every kind of command, in an order in which each has something to do. */
async function playAll(client: Client, sessionId: string): Promise<Sent[]> {
  const sent: Sent[] = [];
  const send = async (method: string, params: Frame) => {
    const whole = { commandId: v7(), sessionId, ...params };
    const response = await client.request(method, whole);
    sent.push({ method, params: whole, answer: bodyOf(response) });
    return response;
  };
  const run = async (text: string) => {
    const { result } = await send('turn/start', { input: [{ type: 'text', text }] });
    return result.turnId as string;
  };
  const over = (turnId: string) => client.event('turn/completed', (params) => params['turnId'] === turnId);
  await send('session/compact', {});
  await send('session/rename', { name: '  Über allen Gipfeln ' });
  await send('session/setModel', { model: { modelId: 'other/tiny' } });
  await send('session/setModel', { model: { modelId: 'nowhere/to-be-found' } });
  await send('session/setApprovalMode', { mode: 'denyUnmatched' });
  await send('session/setReasoningEffort', { reasoningEffort: 'high' });
  for (const text of ['hello', 'hello again', 'break please', 'repeat after me: hello'])
    await over(await run(text));
  await send('session/compact', {});
  await send('goal/pause', {});
  await over((await send('goal/set', { objective: 'mend the roof' })).result.turnId);
  await over((await send('goal/edit', { objective: 'mend the door' })).result.turnId);
  await send('goal/pause', {});
  await over((await send('goal/resume', {})).result.turnId);
  await send('goal/clear', {});
  for (const index of [0, 1]) {
    const turnId = await run('ask me first');
    const { params } = await client.waitFor(
      (frame) => frame['method'] === 'approval/request' && frame['params'].turnId === turnId,
    );
    await client.request('approval/listPending', { sessionId });
    const { approvalId, availableChoices, currentRequirementId: requirementId } = params;
    await send('approval/decide', { approvalId, requirementId, choiceId: availableChoices[index].choiceId });
    await over(turnId);
  }
  const questions: [string, Frame][] = [
    ['answer', { answers: [{ questionId: 'q/tea', selectedLabel: 'Tea' }] }],
    ['cancel', { reason: 'no time' }],
    ['clarify', { clarification: { content: 'water', format: 'text' } }],
    ['interrupt', {}],
  ];
  for (const [verb, params] of questions) {
    const turnId = await run('any questions?');
    const { userInputId } = await client.event('userInput/requested', (body) => body['turnId'] === turnId);
    await send(`userInput/${verb}`, { userInputId, ...params });
    await over(turnId);
  }
  const first = await run(SLOW);
  await send('turn/start', { input: [{ type: 'text', text: 'nudge' }], ifBusy: 'steer' });
  await send('turn/steer', { input: [{ type: 'text', text: 'nudge' }], expectedTurnId: first });
  await send('turn/steer', { input: [{ type: 'text', text: 'nudge' }], expectedTurnId: v7() });
  const queued = await run('later');
  await send('turn/unqueue', { turnId: queued });
  await send('turn/unqueue', { turnId: first });
  const { result } = await send('turn/start', { input: [{ type: 'text', text: SLOW }], ifBusy: 'replace' });
  expect(result).toMatchObject({ disposition: 'started', startedNewTurn: true });
  await send('turn/cancel', { turnId: result.turnId });
  await send('turn/cancel', { turnId: result.turnId });
  const last = await run(SLOW);
  await send('turn/interrupt', { turnId: last, retract: true });
  await over(last);
  await send('session/fork', {});
  return sent;
}

const CARRIERLESS = new Set(['turn/cancel', 'turn/interrupt']);

/** The same id for something else: another payload where the method has any, another method where it has none. */
function conflicting({ method, params }: Sent): [string, Frame] {
  const { commandId, sessionId } = params;
  if (method === 'session/fork') return [method, { ...params, excludeItems: true }];
  if ('input' in params) {
    const [part] = params['input'];
    return [method, { ...params, input: [{ ...part, text: `${part.text}!` }] }];
  }
  if ('objective' in params) return [method, { ...params, objective: 'something else' }];
  if ('turnId' in params) return [method, { ...params, turnId: v7() }];
  if ('choiceId' in params) return [method, { ...params, choiceId: 'c-11' }];
  return ['session/rename', { sessionId, commandId, name: 'something else' }];
}

/** Sends everything again, members in another order, and once for something else in between. */
async function replayAll(client: Client, sessionId: string, sent: readonly Sent[]): Promise<void> {
  const before = await client.history(sessionId);
  for (const one of sent) {
    const reordered = Object.fromEntries(Object.entries(one.params).reverse());
    expect(bodyOf(await client.request(one.method, reordered))).toEqual(one.answer);
    expect(rejectionOf(await client.request(...conflicting(one)))).toEqual(CONFLICT);
    expect(bodyOf(await client.request(one.method, one.params))).toEqual(one.answer);
  }
  expect(await client.history(sessionId)).toEqual(before);
}

describe.skipIf(judge === undefined)('the judge of the frames', () => {
  it.each<[string, string | undefined, Frame]>([
    ['a result that lacks a member', 'goal/set', { result: { status: 'accepted' } }],
    ['a closed enum with another value', 'initialize', { result: { platformFamily: 'abacus' } }],
    ['an answer to nothing', undefined, { result: {} }],
    [
      'a code with a kind of another',
      'goal/set',
      { error: { code: -32030, message: '', data: { kind: 'notFound' } } },
    ],
    [
      'an event without a cursor',
      undefined,
      { id: undefined, method: 'turn/unqueued', params: { turnId: 't' } },
    ],
    ['a request nobody knows', undefined, { id: 4, method: 'approval/beg', params: {} }],
  ])('objects to %s', (_, answers, frame) => {
    expect(judge?.({ frame: { jsonrpc: '2.0', id: 4, ...frame }, answers })).not.toEqual([]);
  });

  it('lets an unknown notification and an open enum pass', () => {
    const frame = { jsonrpc: '2.0', method: 'vendor/heartbeat' };
    const ack = { jsonrpc: '2.0', id: 1, result: { commandId: 'c', status: 'x_vendorSure' } };
    expect(judge?.({ frame, answers: undefined })).toEqual([]);
    expect(judge?.({ frame: ack, answers: 'goal/set' })).toEqual([]);
  });
});

describe('the other server, command by command', () => {
  it.each(['snapshot', 'inline'])('applies each once, across restarts and kills (%s)', async (form) => {
    const env = { ...LONG, OTHER_HISTORY: form };
    let host = await start({ env });
    const sessionId = await openSession(host.client);
    const sent = await playAll(host.client, sessionId);
    await replayAll(host.client, sessionId, sent);
    const history = await host.client.history(sessionId);
    const durable = sent.filter(({ method }) => !CARRIERLESS.has(method));
    expect(await stop(host)).toBe(0);
    host = await start({ env });
    expect((await resumed(host.client, sessionId)).history.mode).toBe(form);
    await replayAll(host.client, sessionId, durable);
    await kill(host.server);
    host = await start({ env });
    await resumed(host.client, sessionId);
    await replayAll(host.client, sessionId, durable.toReversed());
    expect(await host.client.history(sessionId)).toEqual(history);
    const { result } = await host.client.request('session/list');
    expect(result.sessions).toHaveLength(2);
    await host.client.request('session/read', { sessionId });
  });

  it('stops a turn once, and never a newer one after a restart', async () => {
    let host = await start({ env: LONG });
    const sessionId = await openSession(host.client);
    const first = turn(sessionId, SLOW);
    await host.client.request('turn/start', first);
    const cancel = { sessionId, commandId: v7(), turnId: first['commandId'] };
    const ack = bodyOf(await host.client.request('turn/cancel', cancel));
    await host.client.request('turn/start', turn(sessionId, SLOW));
    expect(bodyOf(await host.client.request('turn/cancel', cancel))).toEqual(ack);
    await kill(host.server);
    host = await start({ env: LONG });
    await resumed(host.client, sessionId);
    const newer = turn(sessionId, SLOW);
    await host.client.request('turn/start', newer);
    const late = bodyOf(await host.client.request('turn/cancel', cancel));
    expect(bodyOf(await host.client.request('turn/cancel', cancel))).toEqual(late);
    expect(of(await host.client.history(sessionId), 'turn/completed', newer['commandId'])).toEqual([]);
  });

  it('settles a turn that died as abandoned, once and for all', async () => {
    let host = await start({ env: LONG });
    const sessionId = await openSession(host.client);
    const dying = turn(sessionId, SLOW);
    const ack = bodyOf(await host.client.request('turn/start', dying));
    expect(bodyOf(await host.client.request('turn/start', dying))).toEqual(ack);
    for (let round = 0; round < 2; round += 1) {
      await kill(host.server);
      host = await start({ env: LONG });
      await resumed(host.client, sessionId);
      expect(rejectionOf(await host.client.request('turn/start', dying))).toEqual(ABANDONED);
    }
    const events = await host.client.history(sessionId);
    expect(of(events, 'turn/started', dying['commandId'])).toHaveLength(1);
    const [end, ...more] = of(events, 'turn/completed', dying['commandId']);
    expect(end?.['params']).toMatchObject({ terminal: 'cancelled' });
    expect(more).toEqual([]);
  });

  it.each(['launch', 'abandon'])(
    'neither loses nor doubles what was queued at a kill (%s)',
    async (policy) => {
      const env = { ...LONG, OTHER_QUEUE: policy };
      let host = await start({ env });
      const sessionId = await openSession(host.client);
      await host.client.request('turn/start', turn(sessionId, SLOW));
      const queued = turn(sessionId, 'me too');
      const ack = await host.client.request('turn/start', queued);
      expect(ack['result']).toMatchObject({ disposition: 'queued', turnId: queued['commandId'] });
      await kill(host.server);
      host = await start({ env });
      await resumed(host.client, sessionId);
      if (policy === 'launch')
        await host.client.event('turn/completed', (one) => one['turnId'] === queued['commandId']);
      const events = await host.client.history(sessionId);
      expect(of(events, 'turn/started', queued['commandId'])).toHaveLength(policy === 'launch' ? 1 : 0);
      expect(of(events, 'turn/completed', queued['commandId'])).toHaveLength(1);
      const again = await host.client.request('turn/start', queued);
      if (policy === 'launch') expect(bodyOf(again)).toEqual(bodyOf(ack));
      else expect(rejectionOf(again)).toEqual(ABANDONED);
    },
  );

  it('carries queued turns over an orderly stop, which cancels the running one', async () => {
    let host = await start({ env: LONG });
    const sessionId = await openSession(host.client);
    const active = turn(sessionId, SLOW);
    const ack = bodyOf(await host.client.request('turn/start', active));
    const queued = turn(sessionId, 'me too');
    await host.client.request('turn/start', queued);
    expect(await stop(host)).toBe(0);
    expect(host.client.received.at(-1)?.frame['method']).toBe('session/closed');
    host = await start({ env: LONG });
    await resumed(host.client, sessionId);
    await host.client.event('turn/completed', (params) => params['turnId'] === queued['commandId']);
    const events = await host.client.history(sessionId);
    expect(of(events, 'turn/completed', active['commandId'])).toMatchObject([
      { params: { terminal: 'cancelled' } },
    ]);
    expect(bodyOf(await host.client.request('turn/start', active))).toEqual(ack);
  });

  it('opens a parked approval anew after a kill', async () => {
    let host = await start();
    const sessionId = await openSession(host.client);
    const asking = turn(sessionId, 'ask me first');
    await host.client.request('turn/start', asking);
    const { approvalId: old, currentRequirementId } = await host.client.event('approval/requested');
    await kill(host.server);
    host = await start();
    const { pendingRequests } = await resumed(host.client, sessionId);
    const { params } = await host.client.waitFor((frame) => frame['method'] === 'approval/request');
    expect(pendingRequests).toMatchObject([{ kind: 'approval', approvalId: params.approvalId }]);
    const choice = { choiceId: 'c-7', sessionId };
    const lateOnOld = { ...choice, approvalId: old, requirementId: currentRequirementId };
    expect((await host.client.command('approval/decide', lateOnOld))['error'].code).toBe(-32051);
    const { approvalId, currentRequirementId: requirementId } = params;
    await host.client.command('approval/decide', { ...choice, approvalId, requirementId });
    await host.client.event('turn/completed', ({ turnId }) => turnId === asking['commandId']);
  });

  it('tears no command apart when it is killed anywhere', async () => {
    for (let round = 0; round < 8; round += 1) {
      let host = await start();
      const sessionId = await openSession(host.client);
      const wanted = turn(sessionId, 'hello');
      host.client.post('turn/start', wanted);
      const at = host.client.received.length + (round % 4);
      if (round > 0) await host.client.waitFor(() => true, at);
      await kill(host.server);
      host = await start();
      await resumed(host.client, sessionId);
      const answer = bodyOf(await host.client.request('turn/start', wanted));
      await kill(host.server);
      host = await start();
      await resumed(host.client, sessionId);
      const again = await host.client.request('turn/start', wanted);
      if ('result' in again) expect(again['result']).toEqual(answer);
      const events = await host.client.history(sessionId);
      expect(of(events, 'turn/started', wanted['commandId']).length).toBeLessThanOrEqual(1);
      expect(of(events, 'turn/completed', wanted['commandId']).length).toBeLessThanOrEqual(1);
      await kill(host.server);
    }
  });
});

describe('the other server, session by session', () => {
  it('starts a session once, keeps its id from others, and remembers both', async () => {
    let host = await start();
    const params = { commandId: v7(), sessionId: v7(), workspaceRoot: stateDir };
    const rival = { ...params, commandId: v7() };
    const first = bodyOf(await host.client.request('session/start', params));
    const refused = bodyOf(await host.client.request('session/start', rival));
    expect(refused).toMatchObject({ code: -32030, data: { reason: 'session_id_conflict' } });
    const check = async () => {
      expect(bodyOf(await host.client.request('session/start', params))).toEqual(first);
      expect(
        rejectionOf(await host.client.request('session/start', { ...params, workspaceRoot: '/' })),
      ).toEqual(CONFLICT);
      expect(bodyOf(await host.client.request('session/start', rival))).toEqual(refused);
    };
    await check();
    await kill(host.server);
    host = await start();
    await check();
  });

  it('answers the start of a session that it reclaimed', async () => {
    let host = await start({ env: { OTHER_RECLAIM: '1' } });
    const params = { commandId: v7(), workspaceRoot: stateDir };
    const first = await host.client.request('session/start', params);
    await stop(host);
    host = await start({ env: { OTHER_RECLAIM: '1' } });
    const { sessionId } = first['result'].session;
    expect((await host.client.command('session/resume', { sessionId }))['error'].data.kind).toBe(
      'sessionNotFound',
    );
    expect(bodyOf(await host.client.request('session/start', params))).toEqual(first['result']);
  });

  it('leaves a session to the host that holds its lease', async () => {
    const one = await start();
    const sessionId = await openSession(one.client);
    const two = await start();
    expect((await two.client.command('session/resume', { sessionId }))['error'].data.kind).toBe(
      'sessionInUse',
    );
    await kill(one.server);
    expect((await resumed(two.client, sessionId)).session.sessionId).toBe(sessionId);
  });

  it('resumes after a cursor, refuses one it never minted, and pages both ways', async () => {
    const { client } = await start();
    const sessionId = await openSession(client);
    const said = turn(sessionId, 'hello');
    await client.request('turn/start', said);
    await client.event('turn/completed');
    const all = await client.history(sessionId);
    const cursor = all[0]?.['params'].viewCursor;
    const back = await client.request('view/page', { sessionId, limit: 2, direction: 'backward' });
    expect(back['result'].events).toEqual(all.slice(-2));
    const { result } = await client.command('session/resume', { sessionId, cursor });
    expect(result.history).toMatchObject({ mode: 'none', noneReason: 'cursorSuffix' });
    const foreign = { sessionId: await openSession(client), cursor };
    expect((await client.command('session/resume', foreign))['error'].data.reason).toBe('missingAnchor');
    await client.request('view/unsubscribe', { sessionId });
    const from = client.received.length;
    await client.request('view/subscribe', { sessionId, after: cursor });
    const replayed = client.received
      .slice(from)
      .flatMap(({ frame }) => (frame['params'] ? [frame['params']] : []));
    expect(replayed.filter(({ sourceRange }) => sourceRange)).toEqual(
      all.slice(1).map(({ params }) => params),
    );
  });
});

describe('the other server, connection by connection', () => {
  it('insists on the handshake and refuses what is no frame', async () => {
    const server = launch({ args: ['--frame-limit', '2000'] });
    if (server.stdout === null || server.stdin === null) throw new Error('the server has no pipes');
    const client = known(new Client(server.stdout, server.stdin));
    expect((await client.request('model/list'))['error'].data.kind).toBe('notInitialized');
    await client.greet({ experimentalApi: true, requestedCapabilities: ['sessionListStream', 'userShell'] });
    expect((await client.greet())['error'].data.kind).toBe('alreadyInitialized');
    client.writeRaw('\n\r\nnot json\n[]\n');
    client.writeRaw(
      `{"jsonrpc":"2.0","id":"big","method":"model/list","params":{"x":"${'x'.repeat(5000)}"}}\n`,
    );
    client.writeRaw(`{"jsonrpc":"2.0","params":{"x":"${'x'.repeat(5000)}","id":7}}\n`);
    const codes = async (fits: (frame: Frame) => boolean) => (await client.waitFor(fits))['error'].code;
    expect(await codes(({ error }) => error?.code === -32700)).toBe(-32700);
    expect(await codes(({ id, error }) => id === null && error.code === -32600)).toBe(-32600);
    expect(await codes(({ id }) => id === 'big')).toBe(-32002);
    expect((await client.request('no/such'))['error'].code).toBe(-32601);
    const sessionId = await openSession(client);
    const { input } = turn(sessionId, 'hello');
    expect((await client.request('turn/start', { sessionId, input }))['error'].data.kind).toBe(
      'invalidParams',
    );
    const budget = { ...turn(sessionId, 'hello'), tokenBudget: 5 };
    expect((await client.request('turn/start', budget))['error'].data.kind).toBe('experimentalRequired');
    await client.request('turn/start', turn(sessionId, 'hello'));
    await client.event('session/listChanged');
  });

  it.each(['unix', 'tcp'])('serves several connections over %s, one effect between them', async (scheme) => {
    const server = launch({
      args: ['--listen', scheme === 'unix' ? `unix:${join(stateDir, 's')}` : 'tcp:127.0.0.1:0'],
    });
    const address = await addressOf(server);
    const one = known(Client.dial(address));
    const two = known(Client.dial(address));
    await Promise.all([one.greet(), two.greet()]);
    const sessionId = await openSession(one);
    await resumed(two, sessionId);
    const said = turn(sessionId, 'hello');
    const [first, second] = await Promise.all([
      one.request('turn/start', said),
      two.request('turn/start', said),
    ]);
    expect(bodyOf(first)).toEqual(bodyOf(second));
    await Promise.all([one.event('turn/completed'), two.event('turn/completed')]);
    one.end();
    expect(of(await two.history(sessionId), 'turn/started', said['commandId'])).toHaveLength(1);
    server.stdin?.end();
    const [code] = await once(server, 'close');
    expect(code).toBe(0);
  });

  it('keeps nothing in the ephemeral profile, and every promise while it lives', async () => {
    const { client } = await start({ args: ['--ephemeral'], env: LONG });
    const { result } = await client.command('session/start', {});
    expect(result.session.path).toBe('');
    const { sessionId } = result.session;
    const said = turn(sessionId, SLOW);
    const ack = bodyOf(await client.request('turn/start', said));
    expect(bodyOf(await client.request('turn/start', said))).toEqual(ack);
    for (const method of ['session/resume', 'session/fork', 'session/read']) {
      expect((await client.command(method, { sessionId }))['error'].code).toBe(-32601);
    }
    expect((await client.request('session/list'))['result'].sessions).toEqual([]);
  });

  it('serves the minimal profile without the optional planes', async () => {
    const { client } = await start({ args: ['--minimal'] });
    const sessionId = await openSession(client);
    for (const method of ['goal/set', 'approval/decide', 'userInput/answer', 'session/fork']) {
      expect((await client.command(method, { sessionId }))['error'].code).toBe(-32601);
    }
    await client.request('turn/start', turn(sessionId, 'ask me first'));
    await client.event('turn/completed');
  });
});
