import { Buffer } from 'node:buffer';
import { isAbsolute, join } from 'node:path';
import { HostStartError } from './host-error.js';
import { expand, type PlaceholderValues } from './placeholders.js';
import type { TargetSpec } from './spec.js';

/** An address that can be dialled: no placeholder is left in it. */
export type SocketAddress =
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number };

/** Undefined for stdio. A relative socket path lies where the server's own relative paths do. */
export function resolveAddress(spec: TargetSpec, values: PlaceholderValues): SocketAddress | undefined {
  const { address } = spec;
  switch (address.kind) {
    case 'stdio':
      return undefined;
    case 'unix':
      return {
        kind: 'unix',
        path: socketPath(expand(address.path, values), spec.cwd && expand(spec.cwd, values)),
      };
    case 'tcp': {
      const port = address.port === '{port}' ? Number(values.port) : address.port;
      return { kind: 'tcp', host: expand(address.host, values), port };
    }
  }
}

export function addressText(address: SocketAddress): string {
  return address.kind === 'unix' ? `unix socket ${address.path}` : `tcp ${address.host}:${address.port}`;
}

/** `sun_path` without its closing NUL. */
const SOCKET_PATH_LIMIT_BYTES = process.platform === 'linux' ? 107 : 103;

function socketPath(path: string, cwd: string | undefined): string {
  const absolute = cwd === undefined || isAbsolute(path) ? path : join(cwd, path);
  const bytes = Buffer.byteLength(absolute);
  if (bytes <= SOCKET_PATH_LIMIT_BYTES) return absolute;
  throw new HostStartError(
    'badAddress',
    `the socket path ${absolute} has ${bytes} bytes, and the operating system takes at most ${SOCKET_PATH_LIMIT_BYTES}: ` +
      'choose a shorter one, or set TMPDIR to a folder with a short name',
  );
}
