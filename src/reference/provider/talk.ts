import { derivedId } from '../ids.js';
import type { Script } from './script.js';
import type { Stage } from './stage.js';

const SLOW_STEPS = 20;
const SLOW_STEP_MS = 100;

/** The agent says what the user said. */
export function repeat(stage: Stage): undefined {
  stage.say(stage.text);
}

export function* slow(stage: Stage): Script {
  const message = stage.openMessage();
  for (let step = 1; step <= SLOW_STEPS; step += 1) {
    yield { for: 'time', ms: SLOW_STEP_MS };
    const steered = stage.run.steers.shift();
    stage.append(message, steered === undefined ? `${step} ` : `(${steered}) `);
  }
  stage.append(message, 'done');
  stage.closeMessage(message);
}

export function fail(stage: Stage): undefined {
  stage.fail('the scripted model failed, as it was told to');
}

export function* retry(stage: Stage): Script {
  const retryDelayMs = 50;
  stage.session.emit('turn/retryScheduled', {
    turnId: stage.run.turnId,
    attempt: 1,
    nextAttempt: 2,
    maxAttempts: 3,
    retryDelayMs,
    reason: 'the scripted model was busy',
  });
  yield { for: 'time', ms: retryDelayMs };
  stage.say('the second attempt succeeded');
}

/** The model has moved the workspace to another branch, which the host observes. */
export function branch(stage: Stage): undefined {
  const [, name = 'main'] = stage.text.split(/\s+/);
  const { workspaceRoots, created } = stage.session.state;
  const workspaceRoot = workspaceRoots[0] ?? created?.workspaceRoot ?? '/';
  stage.session.emit('session/branchChanged', { workspaceRoot, branch: name, vcs: 'git' });
  stage.say(`the workspace is on ${name}`);
}

/** The work is done, but a reminder's check holds the turn open for a moment. */
export function* reminder(stage: Stage): Script {
  stage.say('done, but for a check');
  const { turnId } = stage.run;
  stage.session.emit('turn/foregroundCompleted', { turnId, blockingAgents: [derivedId(turnId, 'reminder')] });
  yield { for: 'time', ms: SLOW_STEP_MS };
}

export function todo(stage: Stage): undefined {
  const revision = ((stage.session.state.todoList?.['revision'] as number | undefined) ?? 0) + 1;
  stage.session.emit('session/todoListChanged', {
    items: [
      { text: 'read the request', status: 'completed' },
      { text: 'answer it', status: 'inProgress', activeForm: 'answering it' },
    ],
    revision,
    sourceTool: 'write_todos',
  });
  stage.say('the list is written');
}
