import type { JsonObject } from '../json.js';
import { settleUserInput } from '../prompts/user-input.js';
import type { Reply, Script, Wait } from './script.js';
import type { Stage } from './stage.js';

const TIMED_QUESTION_MS = 1000;

const QUESTIONS: readonly JsonObject[] = [
  {
    id: 'database',
    header: 'Database',
    question: 'Which database should the service use?',
    selection: { mode: 'single' },
    options: [{ label: 'Postgres', description: 'A server of its own.' }, { label: 'SQLite' }],
  },
];

export function* question(stage: Stage): Script {
  yield* ask(stage);
}

export function* timedQuestion(stage: Stage): Script {
  yield* ask(stage, TIMED_QUESTION_MS);
}

function* ask(stage: Stage, autoResolutionMs?: number): Generator<Wait, void, Reply | undefined> {
  const tool = stage.openTool('request_user_input', { questions: ['database'] });
  const settlement = (yield* stage.question(tool, QUESTIONS, autoResolutionMs)) ?? timeOut(stage);
  if (settlement['outcome'] === 'cancelled') {
    const reason = (settlement['reason'] as string | undefined) ?? 'declined';
    stage.closeTool(tool, 'cancelled', 'the user declined to answer', { failureReason: reason });
    return stage.say('no answer, then');
  }
  if (settlement['outcome'] === 'timedOut') {
    stage.closeTool(tool, 'timedOut', 'nobody answered');
    return stage.say('nobody answered in time');
  }
  stage.closeTool(tool, 'completed', JSON.stringify(settlement['clarification'] ?? settlement['answers']));
  stage.say('thank you for the answer');
}

/** The deadline passed: the prompt settles itself. */
function timeOut(stage: Stage): JsonObject {
  const userInputId = stage.run.wait?.id ?? '';
  settleUserInput(stage.session, userInputId, { outcome: 'timedOut' });
  return { outcome: 'timedOut' };
}
