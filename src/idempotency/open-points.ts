import { v7 as mintUuid } from 'uuid';
import type { CheckId } from '../checks/catalogue.js';
import type { LiveCommand } from '../replay/drive-context.js';
import type { Answer } from '../replay/exchange.js';
import { addMember } from '../wire/rewrite.js';
import { compareAnswers, describeAnswer, isConflict } from './compare-answers.js';
import { judge, type Probe, replay } from './probe.js';
import { sessionIn } from './sessions.js';

/**
 * What the documents leave open, tried on one command of a scenario and reported as it is: an unknown member or a
 * spelt-out default under the same id, and the id on another method or another session. Never a failure.
 */
export async function probeOpenPoints(probe: Probe, commands: readonly LiveCommand[]): Promise<void> {
  const command = commands.find(
    ({ method, answer, sessionId }) =>
      answer.kind === 'result' && sessionId !== undefined && method !== 'session/start',
  );
  if (command === undefined) return;
  const unknown = addMember(command.line, ['params'], 'xUnknownMember', '"added by the harness"');
  observe(
    probe,
    'idempotency/unspecified-payload-change',
    command,
    await replay(probe, 'conflict', command, unknown),
    'with an unknown member added',
  );
  if (command.method === 'turn/start' && !command.line.includes('"ifBusy"')) {
    const explicit = addMember(command.line, ['params'], 'ifBusy', '"queue"');
    observe(
      probe,
      'idempotency/unspecified-payload-change',
      command,
      await replay(probe, 'conflict', command, explicit),
      'with the default of ifBusy spelt out',
    );
  }
  await probeIdReuse(probe, command);
}

async function probeIdReuse(probe: Probe, command: LiveCommand): Promise<void> {
  const { commandId } = command;
  const request = (method: string, params: object) =>
    JSON.stringify({ jsonrpc: '2.0', id: 0, method, params });
  const other = command.method === 'session/rename' ? 'goal/set' : 'session/rename';
  const payload = other === 'goal/set' ? { objective: 'Reuse of an id' } : { name: 'Reuse of an id' };
  const onMethod = await replay(
    probe,
    'conflict',
    command,
    request(other, { sessionId: command.sessionId, commandId, ...payload }),
  );
  observe(probe, 'idempotency/unspecified-id-reuse', command, onMethod, `on ${other}`);
  const started = await replay(
    probe,
    'conflict',
    command,
    request('session/start', { commandId: mintUuid(), workspaceRoot: probe.stage.workspace }),
  );
  const sessionId = sessionIn(started);
  if (sessionId === undefined) return;
  const onSession = await replay(
    probe,
    'conflict',
    command,
    request('session/rename', { sessionId, commandId, name: 'Reuse of an id' }),
  );
  observe(
    probe,
    'idempotency/unspecified-id-reuse',
    command,
    onSession,
    'on session/rename of another session',
  );
}

function observe(probe: Probe, id: CheckId, command: LiveCommand, answer: Answer, how: string): void {
  const isOriginal = compareAnswers(command.answer, answer).differences.length === 0;
  const what = isOriginal
    ? 'the original answer'
    : isConflict(answer)
      ? 'a conflict'
      : describeAnswer(answer);
  const message = `The commandId of ${command.method} reused ${how} was answered with ${what}; the documents leave this open.`;
  judge(probe, id, 'conflict', command, { status: 'passed', severity: 'note', message });
}
