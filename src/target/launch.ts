import { unlink } from 'node:fs/promises';
import { sep } from 'node:path';
import { addressText, type SocketAddress } from './address.js';
import { dial } from './dial.js';
import { serverEnvironment } from './environment.js';
import type { Host, HostOptions } from './host.js';
import { HostStartError } from './host-error.js';
import { LaunchedSocketHost } from './launched-socket-host.js';
import { expand, type PlaceholderValues } from './placeholders.js';
import { quoted, spawnServer } from './server-process.js';
import type { TargetSpec } from './spec.js';
import { StdioHost } from './stdio-host.js';

/** Starts the server's command. Rejects with `HostStartError` when it cannot be run. */
export async function launch(
  spec: TargetSpec,
  command: readonly string[],
  address: SocketAddress | undefined,
  values: PlaceholderValues,
  options: HostOptions,
): Promise<Host> {
  const words = command.map((word) => expand(word, values));
  if (address !== undefined) await clearAddress(address, words, values.stateDir);
  const server = await spawnServer(words, {
    cwd: spec.cwd === undefined ? process.cwd() : expand(spec.cwd, values),
    env: serverEnvironment(spec, values, process.env),
  });
  return address === undefined
    ? new StdioHost(server, spec.graceMs, options)
    : new LaunchedSocketHost(server, address, spec, options);
}

/** Whoever listens there already is not the server that is about to be started: it must not be judged in its place. */
async function clearAddress(
  address: SocketAddress,
  command: readonly string[],
  stateDir: string,
): Promise<void> {
  const stranger = await dial(address, PROBE_LIMIT_MS).catch(() => undefined);
  if (stranger !== undefined) {
    stranger.destroy();
    throw new HostStartError(
      'occupied',
      `something listens at ${addressText(address)} before ${quoted(command)} is started: ` +
        'end it, choose another address, or leave out the command to test what listens there',
    );
  }
  // A killed server leaves its socket file; only what lies in the run's own folder is the harness's to remove.
  if (address.kind === 'unix' && address.path.startsWith(stateDir + sep))
    await unlink(address.path).catch(() => {});
}

const PROBE_LIMIT_MS = 1000;
