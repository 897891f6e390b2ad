import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { forgetGroup, registerGroup } from './clean-up.js';
import type { ExitStatus } from './host.js';
import { HostStartError } from './host-error.js';
import { groupEnds, groupLives, signalGroup } from './process-group.js';
import { StderrTail } from './stderr-tail.js';

/** A launched server: a process that leads a group of its own. */
export interface ServerProcess {
  readonly pid: number;
  readonly command: readonly string[];
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: StderrTail;
  /** Resolves when the leader is dead; its children and its pipes may live on. Never rejects. */
  readonly exited: Promise<ExitStatus>;
  /** The leader's exit status, once it has one. */
  exitStatus(): ExitStatus | undefined;
  /** Signals the whole group, as far as it is still there. */
  signal(signal: NodeJS.Signals): void;
  /** Resolves with true when no process of the group is left, with false when one still is after the limit. */
  groupEnded(limitMs: number): Promise<boolean>;
}

/** Runs the words as they are, without a shell. Rejects with `HostStartError` when the program cannot be executed. */
export async function spawnServer(
  command: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<ServerProcess> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { ...options, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const { pid } = child;
  if (pid === undefined) throw notSpawned(command, options.cwd, await once(child, 'error'));
  registerGroup(pid);
  child.on('error', () => {});

  let status: ExitStatus | undefined;
  const exited = new Promise<ExitStatus>((resolve) => {
    child.once('exit', (code, signal) => {
      status = { code, signal };
      // An empty group's number may be given to a stranger: it is not to be signalled any more.
      if (!groupLives(pid)) forgetGroup(pid);
      resolve(status);
    });
  });
  const stderr = new StderrTail();
  stderr.drain(child.stderr);
  const mayBeSignalled = () => status === undefined || groupLives(pid);

  return {
    pid,
    command,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr,
    exited,
    exitStatus: () => status,
    signal: (signal) => {
      if (mayBeSignalled()) signalGroup(pid, signal);
    },
    groupEnded: async (limitMs) => {
      const hasEnded = await groupEnds(pid, limitMs);
      if (hasEnded) forgetGroup(pid);
      return hasEnded;
    },
  };
}

function notSpawned(command: readonly string[], cwd: string, [error]: unknown[]): HostStartError {
  const code = (error as NodeJS.ErrnoException).code ?? String(error);
  const hint = HINTS[code] ?? 'the operating system refused';
  return new HostStartError('notSpawned', `cannot run ${quoted(command)} in ${cwd}: ${hint} (${code})`);
}

const HINTS: Readonly<Record<string, string>> = {
  ENOENT: 'no such program, or no such folder; give its path or put it on PATH',
  EACCES: 'it is not executable',
};

/** A command as a message shows it. */
export function quoted(command: readonly string[]): string {
  return command.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}

export function exitText(exit: ExitStatus): string {
  return exit.signal === null ? `exit code ${exit.code}` : `signal ${exit.signal}`;
}
