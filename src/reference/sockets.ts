import { chmodSync, existsSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { Connection } from './connection.js';
import type { Host } from './host.js';
import { SPAWNER_CAPABILITIES } from './stdio.js';
import type { Transport } from './transport.js';

export type ListenAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

/** Anybody on this machine can open a TCP connection, so it gets no shell. */
const TCP_CAPABILITIES = ['sessionListStream', 'feedback'];

/** Serves any number of clients. Resolves once connections are accepted, with where and with how to stop accepting. */
export async function listen(
  host: Host,
  address: ListenAddress,
): Promise<{ readonly where: string; readonly stop: () => void }> {
  const grantable = address.kind === 'unix' ? SPAWNER_CAPABILITIES : TCP_CAPABILITIES;
  const server = createServer({ allowHalfOpen: true }, (socket) => accept(host, socket, grantable));
  if (address.kind === 'unix') await listenOnPath(server, address.path);
  else await started(server, () => server.listen(address.port, address.host));
  return { where: whereIs(server, address), stop: () => void server.close() };
}

function accept(host: Host, socket: Socket, grantable: readonly string[]): void {
  if (host.isDraining) return void socket.destroy();
  socket.setNoDelay(true);
  const connection = new Connection(host, socketTransport(socket), grantable);
  host.connections.add(connection);
  socket.on('data', (chunk: Buffer) => connection.receive(chunk));
  socket.on(
    'end',
    () =>
      void connection
        .finish()
        .then(() => host.outbox.settled())
        .then(() => connection.close()),
  );
  // A connection that breaks is closed right after.
  socket.on('error', () => undefined);
  socket.on('close', () => connection.close());
}

function socketTransport(socket: Socket): Transport {
  return {
    write: (text) => void socket.write(text),
    backlog: () => socket.writableLength,
    // What was written still goes out; a client that never closes its side must not keep the server.
    end: () => socket.destroySoon(),
  };
}

/** Only the owner may open the socket. A file that a dead server left behind is in nobody's use. */
async function listenOnPath(server: Server, path: string): Promise<void> {
  if (existsSync(path) && !(await isAnswered(path))) rmSync(path, { force: true });
  const mask = process.umask(0o177);
  try {
    await started(server, () => server.listen(path));
  } finally {
    process.umask(mask);
  }
  chmodSync(path, 0o600);
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createConnection(path);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}

function started(server: Server, listen: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => resolve());
    listen();
  });
}

function whereIs(server: Server, address: ListenAddress): string {
  const bound = server.address();
  if (typeof bound === 'object' && bound !== null) return `tcp:${bound.address}:${bound.port}`;
  return address.kind === 'unix' ? `unix:${address.path}` : '';
}
