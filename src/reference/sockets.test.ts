import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json.js';
import { type ListenAddress, listen } from './sockets.js';
import { type TestHost, withHost } from './test-host.js';

/** One connection that asks one thing after the other. */
function dial(where: { path: string } | { port: number; host: string }) {
  const socket: Socket = createConnection(where);
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  let id = 0;
  const ask = async (method: string, params: JsonObject = {}): Promise<JsonObject> => {
    id += 1;
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    for (;;) {
      const { value } = await lines.next();
      const frame = JSON.parse(value as string) as JsonObject;
      if (frame['id'] === id && frame['method'] === undefined) return frame;
    }
  };
  const initialize = (requestedCapabilities: string[] = []) =>
    ask('initialize', {
      clientInfo: { name: 'dial', version: '1' },
      capabilities: { requestedCapabilities },
    });
  return { socket, ask, initialize, close: () => once(socket.end().resume(), 'close') };
}

/** Runs a test against the host while it listens, and stops listening afterwards. */
async function listening(
  on: TestHost,
  address: ListenAddress,
  test: (where: string) => Promise<void>,
): Promise<void> {
  const { where, stop } = await listen(on.host, address);
  try {
    await test(where);
  } finally {
    stop();
  }
}

describe('a unix socket', () => {
  it('is for its owner alone, and takes the place of one that a dead server left', () =>
    withHost({}, async (on) => {
      const path = join(on.stateDir, 'socket');
      writeFileSync(path, '');
      await listening(on, { kind: 'unix', path }, async (where) => {
        expect(where).toBe(`unix:${path}`);
        expect(statSync(path).mode & 0o777).toBe(0o600);
        const client = dial({ path });
        expect(await client.initialize(['userShell'])).toMatchObject({
          result: { grantedCapabilities: ['userShell'] },
        });
        await client.close();
      });
    }));

  it('is not taken from a server that lives', () =>
    withHost({}, async (on) => {
      const address = { kind: 'unix', path: join(on.stateDir, 'socket') } as const;
      await listening(on, address, async () => {
        await expect(listen(on.host, address)).rejects.toThrow(/EADDRINUSE/);
      });
    }));

  it('serves many connections; a command that was sent on one is known on another', () =>
    withHost({}, async (on) => {
      const path = join(on.stateDir, 'socket');
      await listening(on, { kind: 'unix', path }, async () => {
        const [first, second] = [dial({ path }), dial({ path })];
        await Promise.all([first.initialize(), second.initialize()]);
        const params = { commandId: v7() };
        const { result } = await first.ask('session/start', params);
        await first.close();
        expect((await second.ask('session/start', params))['result']).toEqual(result);
        await second.close();
      });
    }));
});

describe('a TCP port', () => {
  it('serves, and grants no shell', () =>
    withHost({}, async (on) => {
      await listening(on, { kind: 'tcp', host: '127.0.0.1', port: 0 }, async (where) => {
        const client = dial({ host: '127.0.0.1', port: Number(where.split(':').at(-1)) });
        expect(await client.initialize(['userShell', 'feedback'])).toMatchObject({
          result: { grantedCapabilities: ['feedback'] },
        });
        await client.close();
      });
    }));

  it('lets a client go that does not, when the host ends', () =>
    withHost({}, async (on) => {
      await listening(on, { kind: 'tcp', host: '127.0.0.1', port: 0 }, async (where) => {
        const client = dial({ host: '127.0.0.1', port: Number(where.split(':').at(-1)) });
        await client.initialize();
        await client.ask('session/start', { commandId: v7() });
        const closed = once(client.socket, 'close');
        await on.host.drain();
        await closed;
      });
    }));
});
