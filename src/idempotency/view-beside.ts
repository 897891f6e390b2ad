import { v7 as mintUuid } from 'uuid';
import type { Verdict } from '../checks/findings.js';
import type { LiveCommand } from '../replay/drive-context.js';
import type { Exchange } from '../replay/exchange.js';
import { replaceValue } from '../wire/rewrite.js';
import { askUntilAdmitted } from './ask.js';
import { describeAnswer } from './compare-answers.js';
import { called, judge, PassEnded, type Probe, replay, resultOf } from './probe.js';
import { isTurnEnd } from './quiesce.js';
import { disagreement, durableStretch, hasGap } from './same-view.js';
import { sessionIn } from './sessions.js';

export const VIEW_BESIDE = 'view/connections-agree';

/**
 * A session's view is one, whoever follows it. A turn is begun on the present connection; while it runs, another one
 * subscribes from the session's beginning, and a second turn follows. Both must be told the same events under the
 * same cursors. The session is one of its own, so that the other passes find theirs as they left them.
 */
export async function viewBeside(
  probe: Probe,
  commands: readonly LiveCommand[],
  other: Exchange,
): Promise<void> {
  const like = commands.find(isPlainTurn);
  if (like === undefined) {
    const message = 'The recording has no turn that a session of its own could be given.';
    return void probe.findings.add(VIEW_BESIDE, 'reconnect', { status: 'notApplicable', message });
  }
  const verdict = await lookFromBoth(probe, like, other);
  judge(probe, VIEW_BESIDE, 'reconnect', like, verdict);
}

function isPlainTurn({ method, step, answer }: LiveCommand): boolean {
  return method === 'turn/start' && answer.kind === 'result' && step.behaviour === undefined;
}

async function lookFromBoth(probe: Probe, like: LiveCommand, other: Exchange): Promise<Verdict> {
  const here = probe.stage.exchange;
  const params = { commandId: mintUuid(), workspaceRoot: probe.stage.workspace };
  const started = await askUntilAdmitted(here, 'session/start', params);
  const sessionId = sessionIn(started);
  const after = resultOf(started)['viewCursor'];
  if (sessionId === undefined || typeof after !== 'string')
    return untestable('a session of its own could not be started');
  const fromTurn = await startTurn(probe, like, sessionId);
  if (fromTurn === undefined) return untestable('a fresh session did not take the turn');
  const refusal = await follow(other, sessionId, after);
  if (refusal !== undefined) return untestable(`a second connection cannot follow a session: ${refusal}`);
  if (!(await sees(here, fromTurn))) return untestable('the turn did not come to an end');
  const toTurn = await startTurn(probe, like, sessionId);
  if (toTurn === undefined || !(await sees(here, toTurn)))
    return untestable('a second turn did not come to an end');
  const isSeen = await other.untilEvent(0, (event) => isTurnEnd(event, toTurn));
  if ('value' in isSeen) return compared(here, other, { sessionId, fromTurn, toTurn });
  if (isSeen.why === 'closed') return untestable('the server ended the second connection');
  const message = `A second connection that follows the session was never told that ${called(like)} had ended, and the first one was.`;
  judge(probe, VIEW_BESIDE, 'reconnect', like, { status: 'failed', message });
  throw new PassEnded(message, true);
}

function compared(
  here: Exchange,
  other: Exchange,
  stretch: { readonly sessionId: string; readonly fromTurn: string; readonly toTurn: string },
): Verdict {
  if (hasGap(here.events, stretch.sessionId) || hasGap(other.events, stretch.sessionId))
    return untestable('the server announced a gap in what it told a connection');
  const [first, second] = [here, other].map(({ events }) => durableStretch(events, stretch));
  const found = disagreement(first ?? [], second ?? []);
  if (found === undefined) return { status: 'passed' };
  const message = `A session was followed on two connections. ${found.message}`;
  return found.kind === 'other'
    ? { status: 'failed', message }
    : { status: 'warned', message, differences: found.differences };
}

/** Sends a turn to a session and gives its id; undefined when it was not accepted. */
async function startTurn(probe: Probe, like: LiveCommand, sessionId: string): Promise<string | undefined> {
  const named = replaceValue(like.line, ['params', 'sessionId'], JSON.stringify(sessionId));
  const line = replaceValue(named, ['params', 'commandId'], JSON.stringify(mintUuid()));
  const { turnId } = resultOf(await replay(probe, 'reconnect', like, line));
  return typeof turnId === 'string' ? turnId : undefined;
}

/** Subscribes from a cursor on, by whichever method the server has for it; says why when it has none. */
async function follow(other: Exchange, sessionId: string, after: string): Promise<string | undefined> {
  const subscribed = await askUntilAdmitted(other, 'view/subscribe', { sessionId, after });
  if (subscribed.kind === 'result') return undefined;
  if (subscribed.kind === 'none') return subscribed.why;
  const params = { sessionId, commandId: mintUuid(), cursor: after };
  const resumed = await askUntilAdmitted(other, 'session/resume', params);
  if (resumed.kind === 'none') return resumed.why;
  return resumed.kind === 'result' ? undefined : describeAnswer(subscribed);
}

async function sees(exchange: Exchange, turnId: string): Promise<boolean> {
  return 'value' in (await exchange.untilEvent(0, (event) => isTurnEnd(event, turnId)));
}

function untestable(why: string): Verdict {
  return { status: 'untestable', message: `Two views of one session cannot be compared: ${why}.` };
}
