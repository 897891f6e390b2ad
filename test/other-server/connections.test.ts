import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addressOf, Client, type Frame } from './client.js';
import {
  bodyOf,
  known,
  LONG,
  launch,
  of,
  openSession,
  resumed,
  SLOW,
  start,
  stateDir,
  turn,
} from './stage.js';

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
