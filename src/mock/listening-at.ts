import type { Server } from 'node:net';

/** The address that a server listens at, in the words of `--listen`. */
export function listeningAt(server: Server): string {
  const address = server.address();
  if (typeof address === 'string' || address === null) return `unix:${address}`;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `tcp:${host}:${address.port}`;
}
