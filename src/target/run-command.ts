import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { forgetGroup, registerGroup } from './clean-up.js';
import { HostStartError } from './host-error.js';
import { signalGroup } from './process-group.js';
import { exitText, quoted } from './server-process.js';
import { TAIL_BYTES } from './stderr-tail.js';
import { within } from './within.js';

/**
 * Runs a restart or kill command to its end, without a shell. Rejects with `HostStartError` when it cannot be run, fails
 * or takes too long; it is killed then.
 */
export async function runCommand(
  option: '--restart-command' | '--kill-command',
  command: readonly string[],
  options: { readonly env: NodeJS.ProcessEnv; readonly logFolder: string; readonly limitMs: number },
): Promise<void> {
  // A file and no pipe: a server that the command leaves running may go on writing when the harness has left.
  const logPath = join(options.logFolder, `${option.slice(2)}.log`);
  const log = openSync(logPath, 'w', 0o600);
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env: options.env, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  const problem = await outcomeOf(child, options.limitMs);
  if (problem === undefined) return;
  const tail = readFileSync(logPath).subarray(-TAIL_BYTES).toString('utf8');
  throw new HostStartError('commandFailed', `${option} ${quoted(command)} ${problem}`, tail);
}

async function outcomeOf(child: ReturnType<typeof spawn>, limitMs: number): Promise<string | undefined> {
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(`cannot be run: ${error.message}`));
    child.once('exit', (code, signal) =>
      resolve(code === 0 ? undefined : `ended with ${exitText({ code, signal })}`),
    );
  });
  const { pid } = child;
  if (pid === undefined) return ended;
  registerGroup(pid);
  const outcome = await within(ended, limitMs);
  if (outcome === 'late') signalGroup(pid, 'SIGKILL');
  forgetGroup(pid);
  return outcome === 'late' ? `did not end within ${limitMs} ms` : outcome;
}
