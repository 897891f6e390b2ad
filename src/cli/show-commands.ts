import { forTerminal } from '../report/escape.js';
import { quoted } from '../target/server-process.js';
import type { TargetSpec } from '../target/spec.js';
import type { CliContext } from './context.js';

/** `--verbose`: the commands that a run may start, before it starts any. A config file may have named them. */
export function showCommands(
  { command, restartCommand, killCommand }: TargetSpec,
  { stderr }: Pick<CliContext, 'stderr'>,
): void {
  const commands = { 'the server': command, 'to restart it': restartCommand, 'to kill it': killCommand };
  for (const [what, words] of Object.entries(commands)) {
    if (words !== undefined) stderr(`${what}: ${forTerminal(quoted(words))}\n`);
  }
}
