import { Connection } from './connection.js';
import type { Host } from './host.js';
import type { Transport } from './transport.js';

/** What a client may be granted that started this process itself. */
export const SPAWNER_CAPABILITIES = ['userShell', 'sessionListStream', 'feedback'];

/** Serves the one client that holds this process's stdin and stdout. Resolves once stdin has ended and was served. */
export async function serveStdio(host: Host): Promise<void> {
  const connection = new Connection(host, standardOutput(), SPAWNER_CAPABILITIES);
  host.connections.add(connection);
  for await (const chunk of process.stdin) connection.receive(chunk as Buffer);
  await connection.finish();
}

/**
 * `process.stdout` waits without blocking where it is a pipe or a socket that nobody reads for a while. A file stream on
 * the same descriptor gives up after a few refusals of the system, and the client would hear nothing more.
 */
function standardOutput(): Transport {
  const stream = process.stdout;
  // A client that went away reads nothing: its stdin will end as well.
  stream.on('error', () => undefined);
  return {
    write: (text) => void stream.write(text),
    backlog: () => stream.writableLength,
    end: () => void stream.end(),
  };
}
