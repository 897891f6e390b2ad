import { resolveAddress } from './address.js';
import { attach } from './attach.js';
import type { Connection } from './connection.js';
import { HostStartError } from './host-error.js';
import { launch } from './launch.js';
import { placeholderValues } from './placeholders.js';
import type { TargetSpec } from './spec.js';
import type { Workbench } from './workbench.js';

export { HostStartError, SecondConnectionError } from './host-error.js';

export interface ExitStatus {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface StopOutcome {
  /**
   * What the server ended on. `before`: it was gone already. `inputClosed`: stdin or the connections closed, the
   * orderly way. `disconnected`: a connect-only target, which goes on running.
   */
  readonly endedBy: 'before' | 'inputClosed' | 'SIGTERM' | 'SIGKILL' | 'disconnected';
  readonly exit: ExitStatus;
  /** True when processes of the server's group outlived it and had to be killed. */
  readonly leftProcesses: boolean;
}

/** One life of the server under test. */
export interface Host {
  /**
   * Stdio: the one connection; a second call rejects with `SecondConnectionError`. Sockets: a new one each time;
   * the first is retried until the start timeout. Rejects with `HostStartError`.
   */
  connect(): Promise<Connection>;
  /** Never rejects. For connect-only targets it resolves on `stop` or `kill`, with nothing known. */
  readonly exited: Promise<ExitStatus>;
  /** Ends the server in order: input closed, grace, SIGTERM to the group, grace, SIGKILL. May be called twice. */
  stop(): Promise<StopOutcome>;
  /** SIGKILL of the whole process group. Resolves when it is dead and what it had written has been delivered as frames. */
  kill(): Promise<ExitStatus>;
  /** SIGKILL of the group at this very moment; `exited` tells the rest. */
  killNow(): void;
  /** The last 16 KiB of the server's stderr. */
  stderrTail(): string;
  readonly pid: number | undefined;
}

export interface HostOptions {
  readonly frameLimitBytes: number;
  /** Milliseconds, the clock of `ReceivedFrame.atMs`. */
  clock(): number;
}

/** Starts the server, or readies to connect to it. A second host on the same workbench is a restart. Rejects with `HostStartError`. */
export async function openHost(spec: TargetSpec, bench: Workbench, options: HostOptions): Promise<Host> {
  const values = placeholderValues(bench, options.frameLimitBytes);
  const address = resolveAddress(spec, values);
  if (spec.command !== undefined) return launch(spec, spec.command, address, values, options);
  if (address !== undefined) return attach(spec, bench, address, values, options);
  throw new HostStartError(
    'badAddress',
    'a stdio server needs a command: give one after --, or --unix, or --tcp',
  );
}
