import { once } from 'node:events';
import type { Server } from 'node:net';
import type { SocketAddress } from '../target/address.js';

/** Listens where `--listen` says; only the owner may open a Unix socket. Rejects when the address cannot be listened at. */
export async function listenAt(server: Server, address: SocketAddress): Promise<void> {
  const listening = once(server, 'listening');
  if (address.kind === 'tcp') {
    server.listen({ host: address.host, port: address.port });
  } else {
    // The file is made within the call: another user has no moment to open it in.
    const mask = process.umask(0o177);
    try {
      server.listen({ path: address.path });
    } finally {
      process.umask(mask);
    }
  }
  await listening;
}
