import type { SocketAddress } from '../target/address.js';
import { UsageError } from './errors.js';

/** Reads `unix:PATH` or `tcp:HOST:PORT`; port 0 lets the system choose. Throws `UsageError`. */
export function listenAddress(text: string): SocketAddress {
  const [, path] = /^unix:(.+)$/s.exec(text) ?? [];
  if (path !== undefined) return { kind: 'unix', path };
  const [, bracketed, plain, digits] = /^tcp:(?:\[([^\]]+)\]|([^:[\]]+)):(\d+)$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host !== undefined && port <= 65_535) return { kind: 'tcp', host, port };
  throw new UsageError(
    `--listen expects unix:PATH or tcp:HOST:PORT, as in tcp:127.0.0.1:7000, found ${JSON.stringify(text)}.`,
  );
}
