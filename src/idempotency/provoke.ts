import { v7 as mintUuid } from 'uuid';
import type { LiveCommand } from '../replay/drive-context.js';
import { blamedOn } from './blame.js';
import { isRejection } from './compare-answers.js';
import { describeEvent, startedTurn } from './effects.js';
import { called, judge, judgeSameAnswer, type Probe, replay } from './probe.js';
import { sessionIn } from './sessions.js';
import { ViewWatch } from './view-watch.js';

/**
 * Provokes the durable rejections that a recording's methods are capable of: a goal verb without a goal, an unqueue
 * and a steer of a turn that is over, a session id that is taken. Each is replayed at once, and again when the
 * command would be accepted by now. Returns the rejected commands, for the replays after a restart.
 */
export async function provokeRejections(
  probe: Probe,
  commands: readonly LiveCommand[],
): Promise<LiveCommand[]> {
  const rejected: LiveCommand[] = [];
  const goal = commands.find(({ method }) => method.startsWith('goal/'));
  if (goal !== undefined) rejected.push(...(await provokeGoalVerbs(probe, goal)));
  const turn = commands.find((command) => endedTurn(probe, command) !== undefined);
  if (turn !== undefined)
    rejected.push(...(await provokeStaleTurn(probe, turn, endedTurn(probe, turn) as string)));
  const start = commands.find(({ method, answer }) => method === 'session/start' && answer.kind === 'result');
  if (start !== undefined) rejected.push(...(await provokeTakenSession(probe, start)));
  return rejected;
}

async function provokeGoalVerbs(probe: Probe, like: LiveCommand): Promise<LiveCommand[]> {
  const sessionId = await freshSession(probe, like);
  if (sessionId === undefined) return [];
  const rejected: LiveCommand[] = [];
  for (const [method, more] of [
    ['goal/pause', {}],
    ['goal/resume', {}],
    ['goal/edit', { objective: 'An edit of no goal' }],
  ] as const) {
    rejected.push(...(await provoke(probe, like, method, { sessionId, ...more }, 'without a goal')));
  }
  // Now that there is a goal, a server that runs a rejected command again would accept it.
  const set = { sessionId, commandId: mintUuid(), objective: 'Keep the rejections' };
  await replay(probe, 'rejected', like, request('goal/set', set));
  const watch = new ViewWatch(probe.stage.exchange, [sessionId]);
  await watch.effects();
  for (const command of rejected) {
    const again = () => replay(probe, 'rejected', command);
    judgeSameAnswer(
      probe,
      'idempotency/rejection-replayed',
      'rejected',
      command,
      await again(),
      'sent again once a goal was set',
    );
    const effects = await blamedOn(probe, command, watch, NOTHING_OPEN, again);
    if (effects.length === 0) continue;
    const message = `A replay of the rejected ${called(command)} was carried out: ${effects.map(describeEvent).join(', ')}.`;
    judge(probe, 'idempotency/rejection-replayed', 'rejected', command, { status: 'failed', message });
  }
  // The goal stays, so that a rejection which a restart forgets is not simply given anew. Paused, it wakes no turn.
  await replay(probe, 'rejected', like, request('goal/pause', { sessionId, commandId: mintUuid() }));
  return rejected;
}

const NOTHING_OPEN: ReadonlySet<string> = new Set();

async function provokeStaleTurn(probe: Probe, like: LiveCommand, turnId: string): Promise<LiveCommand[]> {
  const { sessionId } = like;
  const steer = { sessionId, expectedTurnId: turnId, input: [{ type: 'text', text: 'Too late' }] };
  return [
    ...(await provoke(probe, like, 'turn/unqueue', { sessionId, turnId }, 'of a turn that is over')),
    ...(await provoke(probe, like, 'turn/steer', steer, 'of a turn that is over')),
  ];
}

async function provokeTakenSession(probe: Probe, like: LiveCommand): Promise<LiveCommand[]> {
  const params = { sessionId: sessionIn(like.answer), workspaceRoot: probe.stage.workspace };
  return provoke(probe, like, 'session/start', params, 'with a session id that is taken');
}

/** Sends a command that should be rejected and, if it was durably rejected, the same again. */
async function provoke(
  probe: Probe,
  like: LiveCommand,
  method: string,
  params: object,
  how: string,
): Promise<LiveCommand[]> {
  const commandId = mintUuid();
  const line = request(method, { ...params, commandId });
  const answer = await replay(probe, 'rejected', like, line);
  if (!isRejection(answer)) return [];
  const sessionId = (params as { readonly sessionId?: string }).sessionId;
  const command: LiveCommand = { ...like, provoked: how, method, line, commandId, sessionId, answer };
  const again = await replay(probe, 'rejected', command);
  judgeSameAnswer(probe, 'idempotency/rejection-replayed', 'rejected', command, again, 'sent again');
  return [command];
}

async function freshSession(probe: Probe, like: LiveCommand): Promise<string | undefined> {
  const start = request('session/start', { commandId: mintUuid(), workspaceRoot: probe.stage.workspace });
  return sessionIn(await replay(probe, 'rejected', like, start));
}

/** The turn of a command that is known to be over. */
function endedTurn(probe: Probe, command: LiveCommand): string | undefined {
  const turnId = startedTurn(command);
  const isOver = probe.stage.exchange.events.some(
    ({ method, params }) => method === 'turn/completed' && params['turnId'] === turnId,
  );
  return turnId !== undefined && isOver ? turnId : undefined;
}

/** The id is put in when the line is sent. */
function request(method: string, params: object): string {
  return JSON.stringify({ jsonrpc: '2.0', id: 0, method, params });
}
