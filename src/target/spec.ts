import type { BehaviourName } from '../transcript/scenario.js';

/** Where the server is met. The parts may hold placeholders; `{port}` alone stands for the workbench's own port. */
export type TargetAddress =
  | { readonly kind: 'stdio' }
  | { readonly kind: 'unix'; readonly path: string }
  | { readonly kind: 'tcp'; readonly host: string; readonly port: number | '{port}' };

/** The server under test, as its user describes it. Nothing in it is ever given to a shell. */
export interface TargetSpec {
  /** What reports call the target. */
  readonly label: string;
  /** Program and arguments, spawned by the harness. It stays in the foreground. Absent: connect only. Placeholders are expanded in each word. */
  readonly command?: readonly string[];
  readonly address: TargetAddress;
  /** Connect-only targets: restarts the server in an orderly manner, and starts one that is down. Ends when the server may be dialled. */
  readonly restartCommand?: readonly string[];
  /** Connect-only targets: kills the server as SIGKILL would. */
  readonly killCommand?: readonly string[];
  /** Set over the server's environment; placeholders are expanded in the values. */
  readonly env: Readonly<Record<string, string>>;
  /** False: the server sees a hermetic environment. True: it sees the user's own. */
  readonly inheritEnv: boolean;
  /**
   * The server's working directory (placeholders allowed). Default: where the harness was started, since
   * commands such as `node server.js` or `npm start` mean files there.
   */
  readonly cwd?: string;
  /** The input text that makes the server's model do something on cue. */
  readonly behaviours: Readonly<Partial<Record<BehaviourName, string>>>;
  /** How long a server may take until it can be connected to, in milliseconds. */
  readonly startTimeoutMs: number;
  /** How long each step of an orderly stop may take, in milliseconds. */
  readonly graceMs: number;
  /** How long an answer may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** True when the server can be stopped in order and started again on the same state. */
export function canRestart(spec: TargetSpec): boolean {
  return spec.command !== undefined || spec.restartCommand !== undefined;
}

/** True when the server can be killed without notice and started again on the same state. */
export function canCrash(spec: TargetSpec): boolean {
  return spec.command !== undefined || (spec.killCommand !== undefined && spec.restartCommand !== undefined);
}

export function transportOf(spec: TargetSpec): 'stdio' | 'unix' | 'tcp' {
  return spec.address.kind;
}
