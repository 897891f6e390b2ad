import type { Run } from '../run.js';
import type { Session } from '../session.js';
import { question, timedQuestion } from './questions.js';
import type { Script } from './script.js';
import { Stage } from './stage.js';
import { branch, fail, reminder, repeat, retry, slow, todo } from './talk.js';
import { approval, background, output, task } from './tools.js';
import { subagent, usage, workflow } from './work.js';

/** One thing that the scripted model does when it is told to. */
export interface Behaviour {
  /** The first word of the input. */
  readonly cue: string;
  readonly does: string;
  /** A generator where it has to wait for something. */
  readonly script: (stage: Stage) => Script | undefined;
}

/**
 * The whole of the model. The first word of the input decides; any other text is repeated by the agent and the turn is
 * complete at once. `#unlaunchable` is not in the table: a turn that was queued with it fails at its launch.
 */
export const BEHAVIOURS: readonly Behaviour[] = [
  { cue: '#echo', does: 'repeats the input', script: repeat },
  { cue: '#slow', does: 'talks for about two seconds, a word every 100 ms', script: slow },
  { cue: '#fail', does: 'fails with a modelError', script: fail },
  { cue: '#retry', does: 'schedules one retry of a failing model call, then answers', script: retry },
  { cue: '#todo', does: 'writes a todo list and answers', script: todo },
  { cue: '#branch', does: 'moves the workspace to the branch that follows, and says so', script: branch },
  {
    cue: '#reminder',
    does: 'is done, and is held open for a tenth of a second by a background check',
    script: reminder,
  },
  {
    cue: '#approval',
    does: 'asks for leave to run one command and waits',
    script: (stage) => approval(stage, 1),
  },
  {
    cue: '#approval-two-stages',
    does: 'asks for leave to run two commands in one line',
    script: (stage) => approval(stage, 2),
  },
  { cue: '#question', does: 'asks the user a question and waits', script: question },
  {
    cue: '#timed-question',
    does: 'asks a question that settles by itself after a second',
    script: timedQuestion,
  },
  { cue: '#output', does: 'runs a tool with more output than the view shows', script: output },
  { cue: '#task', does: 'runs a tool for two seconds; it can be sent to the background', script: task },
  {
    cue: '#background',
    does: 'starts a task in the background that runs until it is stopped',
    script: background,
  },
  { cue: '#subagent', does: 'spawns a subagent that lives on after the turn', script: subagent },
  {
    cue: '#workflow',
    does: 'launches a workflow of two children that runs on after the turn',
    script: workflow,
  },
  { cue: '#usage', does: 'reports the subscription usage to the host', script: usage },
];

/** What the provider does with a turn's input, followed by an answer to each input that was steered in. */
export function* scriptFor(session: Session, run: Run, reopenedItem?: string): Script {
  const stage = new Stage(session, run, reopenedItem);
  const cue = run.submission.text.trim().split(/\s/, 1)[0];
  const { script } = BEHAVIOURS.find((behaviour) => behaviour.cue === cue) ?? { script: repeat };
  yield* script(stage) ?? [];
  if (run.failure) return;
  for (let text = run.steers.shift(); text !== undefined; text = run.steers.shift()) stage.say(text);
}
