import { updateItem } from '../items.js';
import { interpretShell } from '../shell.js';
import { storeOutput } from '../stored-output.js';
import type { Script } from './script.js';
import type { Stage } from './stage.js';

const TASK_MS = 2000;
const OUTPUT_LINES = 5000;

/** A shell command that needs somebody's leave, or two of them in one line. */
export function* approval(stage: Stage, stages: 1 | 2): Script {
  const commands = [
    ['echo', 'approved'],
    ['echo', 'twice'],
  ].slice(0, stages);
  const command = commands.map((argv) => argv.join(' ')).join(' && ');
  const rawArgs = JSON.stringify({ command });
  const itemId = stage.reopenedItem ?? stage.openTool('shell', { command });
  const { turnId } = stage.run;
  const decision = yield* stage.ask({ turnId, itemId, toolName: 'shell', rawArgs, stages: commands });
  if (!decision.startsWith('approved')) {
    stage.closeTool(itemId, 'rejected', '', { failureReason: 'the command was not allowed' });
    return stage.say('the command was not allowed');
  }
  stage.closeTool(
    itemId,
    'completed',
    commands.map((argv) => interpretShell(argv.join(' ')).output).join(''),
  );
  stage.say('the command ran');
}

/** A tool whose whole output is stored; the view shows its beginning. */
export function output(stage: Stage): undefined {
  const itemId = stage.openTool('read_file', { path: 'lines.txt' });
  const text = Array.from({ length: OUTPUT_LINES }, (_, line) => `line ${line + 1} of the file…\n`).join('');
  const outputRef = storeOutput(stage.session, itemId, text);
  stage.closeTool(itemId, 'completed', text, { outputRef, truncated: true });
  stage.say('the file is read');
}

/** A tool that takes its time in the foreground, unless it is sent to the background. */
export function* task(stage: Stage): Script {
  const itemId = stage.openTool('build', { target: 'all' });
  const reply = yield { for: 'task', id: itemId, ms: TASK_MS };
  if (reply === undefined) stage.closeTool(itemId, 'completed', 'built\n');
  stage.say(reply === undefined ? 'the build is done' : 'the build goes on in the background');
}

export function background(stage: Stage): undefined {
  const itemId = stage.openTool('watch', { target: 'all' });
  updateItem(stage.session, itemId, { background: true });
  stage.run.foreground.delete(itemId);
  stage.say('the watcher runs in the background');
}
