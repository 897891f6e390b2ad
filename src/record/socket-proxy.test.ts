import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadScenario } from '../transcript/load-scenario.js';
import { socketProxy } from './socket-proxy.js';
import { inFolder, namesIn } from './testing/recording.js';

describe('a recorder between two sockets', () => {
  it('passes bytes and the end of either direction on, and records each connection for itself', async () => {
    await inFolder(async (folder) => {
      const upstream = await listen(folder, (socket) => socket.pipe(socket));
      const proxy = await startProxy(folder);
      const bytes = Buffer.concat([randomBytes(200_000), Buffer.from('\n{}\n')]);
      expect((await exchange(proxy.path, bytes)).equals(bytes)).toBe(true);
      expect(String(await exchange(proxy.path, Buffer.from('{"n":1}\n')))).toBe('{"n":1}\n');
      await proxy.stop();
      upstream.close();
      expect(await namesIn(join(folder, 'out'))).toEqual(['made', 'made-2']);
      const { steps, manifest } = await loadScenario(join(folder, 'out', 'made-2'));
      expect(steps).toMatchObject([
        { dir: 'client', raw: '{"n":1}' },
        { dir: 'server', raw: '{"n":1}' },
      ]);
      expect(manifest).toMatchObject({
        scenario: 'made-2',
        transports: ['unix'],
        provenance: 'host-generated',
      });
    });
  });

  it('ends with what was said so far when it is stopped in the middle', async () => {
    await inFolder(async (folder) => {
      const upstream = await listen(folder, (socket) => socket.pipe(socket));
      const proxy = await startProxy(folder);
      const client = connect(proxy.path).on('error', () => {});
      client.write('{"n":1}\n{"torn');
      await once(client, 'data');
      await proxy.stop();
      upstream.close();
      const { steps } = await loadScenario(join(folder, 'out', 'made'));
      expect(steps[0]).toMatchObject({ dir: 'client', raw: '{"n":1}' });
    });
  });

  it('drops a client whose server is not there, and says so', async () => {
    await inFolder(async (folder) => {
      const proxy = await startProxy(folder, 20);
      expect(String(await exchange(proxy.path, Buffer.from('{}\n')))).toBe('');
      await proxy.stop();
      expect(proxy.warnings).toEqual([expect.stringMatching(/nothing accepted a connection at .*ENOENT/)]);
      expect(await namesIn(folder)).not.toContain('out');
    });
  });
});

async function listen(folder: string, serve: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ allowHalfOpen: true }, (socket) => serve(socket.on('error', () => {})));
  server.listen(join(folder, 'up'));
  await once(server, 'listening');
  return server;
}

async function startProxy(folder: string, startTimeoutMs = 30_000) {
  const path = join(folder, 'down');
  const stop = new AbortController();
  const warnings: string[] = [];
  let done: Promise<unknown> = Promise.resolve();
  await new Promise<void>((listening) => {
    const options = {
      out: join(folder, 'out'),
      id: 'made',
      force: false,
      manifest: undefined,
      tool: { name: 'test', version: '0' },
      redact: (raw: string) => raw,
      warn: (problem: string) => warnings.push(problem),
      startTimeoutMs,
      listening: () => listening(),
      recorded: () => {},
    };
    done = socketProxy(
      { kind: 'unix', path },
      { kind: 'unix', path: join(folder, 'up') },
      options,
      stop.signal,
    );
  });
  const end = () => {
    stop.abort();
    return done;
  };
  return { path, warnings, stop: end };
}

/** Sends bytes, ends its direction, and returns what came back until the other end. */
async function exchange(path: string, bytes: Buffer): Promise<Buffer> {
  const socket = connect({ path, allowHalfOpen: true }).on('error', () => {});
  socket.end(bytes);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  // Bytes that nobody reads turn the end into a reset, which `once` would reject with.
  await new Promise((resolve) => socket.once('close', resolve));
  return Buffer.concat(chunks);
}
