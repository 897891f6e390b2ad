import { once } from 'node:events';
import { accessSync, constants, existsSync, fstatSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DEFAULT_FRAME_LIMIT_BYTES } from '../wire/line-splitter.js';
import { countingClock, systemClock } from './clock.js';
import { BACKLOG_LIMIT_BYTES } from './egress.js';
import { ProtocolError } from './errors.js';
import { HONEST, type Seams, seamsWith } from './faults.js';
import { Host } from './host.js';
import { randomIds, seededIds } from './ids.js';
import { findSession, loadSession } from './loading.js';
import { type ListenAddress, listen } from './sockets.js';
import { serveStdio } from './stdio.js';
import { Store } from './store.js';

export interface ServeOptions {
  /** Where sessions are kept. */
  readonly stateDir: string;
  /** Keep nothing on disk. */
  readonly isEphemeral?: boolean;
  /** Serve sockets instead of stdin and stdout. */
  readonly listen?: ListenAddress;
  readonly frameLimitBytes?: number;
  /** How far a client may lag behind before view events are dropped. */
  readonly backlogLimitBytes?: number;
  /** How long a session that nobody follows and nothing happens in stays loaded. */
  readonly idleUnloadMs?: number;
  /** Makes the server's ids repeatable. */
  readonly seed?: number;
  /** Unix milliseconds at which a clock starts that counts its readings instead of the time. */
  readonly clockMs?: number;
  readonly faults?: readonly string[];
  /** A session to load before anybody connects. */
  readonly session?: string;
}

/** The exit codes of a server, as the protocol lists them. */
export const ServerExit = {
  drained: 0,
  failed: 1,
  usage: 2,
  configuration: 3,
  leaseUnavailable: 4,
  switchedOff: 5,
} as const;

/** Ten minutes: the protocol names no length. */
const IDLE_UNLOAD_MS = 10 * 60 * 1000;

/** Turns the whole surface off, for builds that must not have it. */
const OFF_SWITCH = 'MUSE_EXPERIMENTAL_SDK_ENABLED';

/**
 * Runs the reference server until its client closes stdin, or a signal arrives. Resolves with the exit code. Throws
 * `UnknownFaultError` and the system's error for an address that cannot be listened on.
 */
export async function serve(options: ServeOptions): Promise<number> {
  if (['0', 'false'].includes(process.env[OFF_SWITCH] ?? ''))
    return refuse(ServerExit.switchedOff, `${OFF_SWITCH} is off`);
  const stateDir = resolve(options.stateDir);
  const problem = options.isEphemeral ? undefined : directoryProblem(stateDir);
  if (problem !== undefined) return refuse(ServerExit.configuration, problem);
  const host = makeHost(options, stateDir, await seamsFor(options.faults ?? []));
  if (options.session !== undefined) {
    const refusal = await preload(host, options.session);
    if (refusal !== undefined) return refusal;
  }
  const signal = new AbortController();
  const onSignal = (name: NodeJS.Signals) => signal.abort(SIGNAL_EXITS[name]);
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    const { ended, stop } = await opened(host, options.listen);
    await Promise.race([ended, aborted(signal.signal)]);
    stop();
    await host.drain();
    return signal.signal.aborted ? (signal.signal.reason as number) : host.seams.exitCode(ServerExit.drained);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    process.stdin.destroy();
  }
}

const SIGNAL_EXITS: Readonly<Partial<Record<NodeJS.Signals, number>>> = { SIGINT: 130, SIGTERM: 143 };

function refuse(code: number, reason: string): number {
  process.stderr.write(`${reason}\n`);
  return code;
}

/** The honest server loads no fault. */
async function seamsFor(names: readonly string[]): Promise<Seams> {
  if (names.length === 0) return HONEST;
  const { FAULTS } = await import('./faults/table.js');
  return seamsWith(names, FAULTS);
}

function makeHost(options: ServeOptions, stateDir: string, seams: Seams): Host {
  const clock = options.clockMs === undefined ? systemClock : countingClock(options.clockMs);
  return new Host({
    stateDir,
    ...(options.isEphemeral !== true && { store: new Store(stateDir, seams) }),
    clock,
    ids: options.seed === undefined ? randomIds(clock) : seededIds(options.seed, clock),
    seams,
    frameLimitBytes: options.frameLimitBytes ?? DEFAULT_FRAME_LIMIT_BYTES,
    idleUnloadMs: options.idleUnloadMs ?? IDLE_UNLOAD_MS,
    backlogLimitBytes: options.backlogLimitBytes ?? BACKLOG_LIMIT_BYTES,
    onFailure: (error) => {
      process.stderr.write(`${(error as Error).stack ?? String(error)}\n`);
      process.exit(ServerExit.failed);
    },
  });
}

function directoryProblem(stateDir: string): string | undefined {
  try {
    makeFolder(stateDir);
    accessSync(stateDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    return `the state directory cannot be used: ${(error as Error).message}; name another one with --state`;
  }
}

/** Not by `mkdir`'s own recursion, which never ends where a file system such as /proc says that nothing can be made. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

async function preload(host: Host, sessionId: string): Promise<number | undefined> {
  try {
    await host.exclusive(async () => {
      await findSession(host, sessionId);
      await loadSession(host, sessionId);
    });
    host.outbox.commit();
    return undefined;
  } catch (error) {
    const isHeld = error instanceof ProtocolError && error.kind === 'sessionInUse';
    return refuse(isHeld ? ServerExit.leaseUnavailable : ServerExit.configuration, (error as Error).message);
  }
}

interface Serving {
  /** Resolves when whoever started the server closes its stdin. */
  readonly ended: Promise<unknown>;
  /** Accepts nobody any more. */
  readonly stop: () => void;
}

async function opened(host: Host, address: ListenAddress | undefined): Promise<Serving> {
  if (!address) return { ended: serveStdio(host), stop: () => undefined };
  const { where, stop } = await listen(host, address);
  process.stderr.write(`listening on ${where}\n`);
  // A terminal or /dev/null says nothing about who started the server.
  const ended = isPipe(0) ? once(process.stdin.resume(), 'end') : new Promise<never>(() => undefined);
  return { ended, stop };
}

function isPipe(fd: number): boolean {
  try {
    const stat = fstatSync(fd);
    return stat.isFIFO() || stat.isSocket();
  } catch {
    return false;
  }
}

function aborted(signal: AbortSignal): Promise<unknown> {
  return signal.aborted ? Promise.resolve() : once(signal, 'abort');
}
