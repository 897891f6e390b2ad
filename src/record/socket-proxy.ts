import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { listenAt } from '../mock/listen-at.js';
import { listeningAt } from '../mock/listening-at.js';
import { addressText, type SocketAddress } from '../target/address.js';
import { DialError, dialUntil } from '../target/dial.js';
import { LiveRecording, type RecordingOptions } from './live-recording.js';
import { relay } from './relay.js';

export interface ProxyOptions extends RecordingOptions {
  /** How long the upstream server may take to accept a connection, in milliseconds. */
  readonly startTimeoutMs: number;
  /** Told where clients can connect: of port 0 the one that the system chose. */
  readonly listening: (address: string) => void;
  readonly recorded: (folder: string) => void;
}

/**
 * Listens in the place of a server and passes each connection on to the real one, each recorded as a scenario of its
 * own: the first under the given id, the others under `<id>-2`, `<id>-3` and so on. Goes on until the signal is given,
 * then resolves when all is on disk, or says that the disk refused something. Rejects when the address cannot be
 * listened at.
 */
export async function socketProxy(
  listen: SocketAddress,
  upstream: SocketAddress,
  options: ProxyOptions,
  signal: AbortSignal,
): Promise<{ readonly hasFailed: boolean }> {
  const proxied = new Set<Promise<void>>();
  const open = new Set<Socket>();
  let connections = 0;
  let hasFailed = false;
  const server = createServer({ allowHalfOpen: true }, (client) => {
    connections += 1;
    const id = connections === 1 ? options.id : `${options.id}-${connections}`;
    track(client, open);
    const work = proxy(client, upstream, { ...options, id }, open, signal)
      .then((recording) => {
        hasFailed ||= recording.hasFailed;
      })
      .catch((error: Error) => options.warn(error.message))
      .finally(() => {
        client.destroy();
        proxied.delete(work);
      });
    proxied.add(work);
  });
  await listenAt(server, listen);
  options.listening(listeningAt(server));
  if (!signal.aborted) await once(signal, 'abort');
  server.close();
  for (const socket of open) socket.destroy();
  await Promise.all(proxied);
  return { hasFailed };
}

async function proxy(
  client: Socket,
  upstream: SocketAddress,
  options: ProxyOptions,
  open: Set<Socket>,
  signal: AbortSignal,
): Promise<LiveRecording> {
  const server = await dialUntil(upstream, options.startTimeoutMs, signal).catch((error: unknown) => {
    if (!(error instanceof DialError)) throw error;
    throw new Error(`nothing accepted a connection at ${addressText(upstream)} (${error.code})`);
  });
  track(server, open);
  client.setNoDelay(true);
  const recording = await LiveRecording.begin(options, upstream.kind);
  let isDrained = false;
  client.once('end', () => {
    isDrained = !server.readableEnded;
  });
  const ends = await Promise.all([
    relay(client, server, (event) => recording.take('client', event)),
    relay(server, client, (event) => recording.take('server', event)),
  ]);
  server.destroy();
  // A server that ends first may have died: then nobody knows what it would have answered.
  const end = isDrained && ends.every((one) => one === 'whole') ? 'whole' : 'cut';
  if ((await recording.finish(end)) > 0) options.recorded(recording.folder);
  return recording;
}

function track(socket: Socket, open: Set<Socket>): void {
  open.add(socket);
  socket.on('error', () => {});
  socket.once('close', () => open.delete(socket));
}
