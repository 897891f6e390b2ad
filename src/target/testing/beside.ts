import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a server as its user would: not as a child of the harness's making. Resolves when it has printed something. */
export async function runServerBeside(command: readonly string[]): Promise<{
  readonly pid: number | undefined;
  readonly exited: Promise<unknown>;
  end(): Promise<void>;
}> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const exited = once(child, 'exit');
  await once(child.stdout, 'data');
  return {
    pid: child.pid,
    exited,
    end: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
