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
