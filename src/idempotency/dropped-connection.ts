import { v7 as mintUuid } from 'uuid';
import type { LiveCommand } from '../replay/drive-context.js';
import type { Exchange } from '../replay/exchange.js';
import { replaceValue } from '../wire/rewrite.js';
import { compareAnswers, describeAnswer, isConflict } from './compare-answers.js';
import { excessOf, startedTurn } from './effects.js';
import { underId } from './lines.js';
import { called, judge, judgeSameAnswer, type Probe, replay } from './probe.js';
import { isTurnEnd, quiesce } from './quiesce.js';
import { describeExcess } from './report-excess.js';
import { sessionIn } from './sessions.js';
import { readSession, type ViewReading } from './view.js';

const CHECK = 'idempotency/reconnect-duplicate';

/** Commands that a fresh session can be given whatever came before, the most telling first. */
const FRESH_METHODS = ['turn/start', 'session/rename', 'goal/set'] as const;

/**
 * A connection that is lost between a command and its ack: the client cannot know whether the command arrived, so it
 * connects again and sends it again. Whichever it was, there must be one effect, and one answer from then on. The
 * command goes to a session of its own, so that the other passes find theirs as they left them.
 */
export async function dropBeforeAck(
  probe: Probe,
  commands: readonly LiveCommand[],
  connect: () => Promise<Exchange | undefined>,
): Promise<void> {
  const like = templateOf(commands);
  const lost = like && (await connect());
  if (like === undefined || lost === undefined) return;
  const sessionId = await freshSession(probe, like, lost);
  if (sessionId === undefined) return;
  const commandId = mintUuid();
  const line = withIds(like.line, sessionId, commandId);
  void lost.send(underId(line, lost.freshId()));
  lost.connection.destroy();
  await lost.connection.closed;
  const back = await connect();
  if (back === undefined) return;
  await back.ask('session/resume', { sessionId, commandId: mintUuid() });
  const command: LiveCommand = { ...like, line, commandId, sessionId };
  const first = await replay(probe, 'reconnect', command, line, back);
  await judgeFirst({ ...command, answer: first }, probe, back);
  back.connection.destroy();
}

async function judgeFirst(command: LiveCommand, probe: Probe, back: Exchange): Promise<void> {
  if (isConflict(command.answer)) {
    const message = `${called(command)} was sent, its connection was lost, and it was sent again unchanged: it got ${describeAnswer(command.answer)}.`;
    return judge(probe, CHECK, 'reconnect', command, { status: 'failed', message });
  }
  const again = await replay(probe, 'reconnect', command, command.line, back);
  if (command.answer.kind === 'error' && compareAnswers(command.answer, again).differences.length === 0)
    return;
  judgeSameAnswer(
    probe,
    CHECK,
    'reconnect',
    command,
    again,
    'sent a third time after its connection was lost',
  );
  const reading = await readWhenOver(command, back);
  if (reading.kind === 'unreadable') return;
  const excess = excessOf([command], reading.events, new Map()).filter(
    (entry) => entry.command !== undefined,
  );
  if (excess.length === 0) return;
  const message = `${called(command)}, sent again after its connection was lost, had more than one effect: ${excess.map(describeExcess).join('; ')}.`;
  judge(probe, CHECK, 'reconnect', command, { status: 'failed', message });
}

/** The turn may have ended while nobody was connected: then its end is on the view, and never comes again. */
async function readWhenOver(command: LiveCommand, back: Exchange): Promise<ViewReading> {
  const sessionId = command.sessionId as string;
  const turn = startedTurn(command);
  const now = await readSession(back, sessionId);
  const isOver = now.kind === 'read' && now.events.some((event) => turn && isTurnEnd(event, turn));
  if (turn === undefined || isOver) return now;
  await quiesce(back, [command]);
  return readSession(back, sessionId);
}

function templateOf(commands: readonly LiveCommand[]): LiveCommand | undefined {
  const isFit = ({ step, answer }: LiveCommand) => answer.kind === 'result' && step.behaviour === undefined;
  for (const method of FRESH_METHODS) {
    const found = commands.find((command) => command.method === method && isFit(command));
    if (found !== undefined) return found;
  }
  return undefined;
}

async function freshSession(
  probe: Probe,
  like: LiveCommand,
  exchange: Exchange,
): Promise<string | undefined> {
  const params = { commandId: mintUuid(), workspaceRoot: probe.stage.workspace };
  const line = JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'session/start', params });
  return sessionIn(await replay(probe, 'reconnect', like, line, exchange));
}

function withIds(line: string, sessionId: string, commandId: string): string {
  const named = replaceValue(line, ['params', 'sessionId'], JSON.stringify(sessionId));
  return replaceValue(named, ['params', 'commandId'], JSON.stringify(commandId));
}
