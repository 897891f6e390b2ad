import type { LiveCommand } from '../replay/drive-context.js';
import type { Answer } from '../replay/exchange.js';
import type { Difference } from '../wire/difference.js';
import { compareAnswers, describeAnswer, isAbandonment, isConflict, isRejection } from './compare-answers.js';
import { effectsOf, isOwnEffect, judgeCrashEffects, wasCarriedOut } from './crash-effects.js';
import { asLive, type Crash, passOf } from './crash-record.js';
import { isCarrierless, makesSession, saysPromptIsOver } from './exceptions.js';
import { called, judge, type Probe, replay, resultOf } from './probe.js';
import { type ResumedSession, resumeSession, sessionIn } from './sessions.js';
import type { ChangeControl } from './state-changes.js';

/**
 * After the restart that followed a kill: the command is replayed. Its identical ack, its durable abandoned
 * rejection or, when no ack had been read, a first answer will do; whichever it is, it must be given again, and the
 * views must agree with it. False when the replay seems to have carried out what had been acknowledged: the
 * intake was lost, unless the server was only slow to take the work up again by itself.
 */
export async function judgeCrash(probe: Probe, crash: Crash, control: ChangeControl): Promise<boolean> {
  const resumed = new Map<string, ResumedSession>();
  for (const session of crash.sessions) resumed.set(session, await resumeSession(probe, session));
  if (!judgeLoading(probe, crash, resumed)) return true;
  const pass = passOf(crash);
  const command = asLive(crash);
  const before = await effectsOf(probe, command);
  const first = await replay(probe, pass, command);
  crash.settled = first;
  if (isCarrierless(command.method)) {
    // The ledger of these rows lives as long as the host: they are answered, and that is all that is promised.
    judge(probe, 'idempotency/replay-answered', pass, command, { status: 'passed' });
  } else if (crash.ack === undefined) {
    judgeFirstAnswer(probe, crash, command, first);
  } else {
    judgeAfterAck(probe, crash, command, first);
  }
  noteStartedSession(crash, first);
  await judgeStable(probe, crash, 'sent twice after the restart');
  await judgeCrashEffects(probe, crash, resumed, before, control);
  await judgeEarlier(probe, crash);
  if (crash.ack?.kind !== 'result' || first.kind !== 'result' || isCarrierless(command.method)) return true;
  return !wasCarriedOut(command, crash.earlier, before, await effectsOf(probe, command), resumed, control);
}

/**
 * The second look at a replay that seems to have carried out an acknowledged command: this time the server is given
 * the whole time limit to take the work up by itself before the command is sent again.
 */
export async function confirmLoss(probe: Probe, crash: Crash, control: ChangeControl): Promise<void> {
  const resumed = new Map<string, ResumedSession>();
  for (const session of crash.sessions) resumed.set(session, await resumeSession(probe, session));
  const command = asLive(crash);
  const { exchange } = probe.stage;
  await exchange.until(() => exchange.events.find((event) => isOwnEffect(event, command)));
  const before = await effectsOf(probe, command);
  const again = await replay(probe, passOf(crash), command);
  await exchange.until(
    () => exchange.events.find((event) => isOwnEffect(event, command)),
    exchange.timeoutMs / 4,
  );
  const isLost =
    again.kind === 'result' &&
    wasCarriedOut(command, crash.earlier, before, await effectsOf(probe, command), resumed, control);
  judge(probe, 'idempotency/crash-after-ack-durable', passOf(crash), command, {
    status: isLost ? 'failed' : 'passed',
    message: isLost
      ? `${called(command)} had been acknowledged when the server was killed, but after the restart nothing was known of it: ` +
        'the replay carried it out as if it were new. The intake must be on disk before the ack is sent.'
      : '',
  });
}

/** At a further restart: the answer is still the same, and nothing has run again. */
export async function judgeLaterRestart(probe: Probe, crash: Crash): Promise<void> {
  if (!crash.isObservable || crash.settled === undefined) return;
  for (const session of crash.sessions) {
    const { isLoaded } = await resumeSession(probe, session);
    if (!isLoaded) return;
  }
  await judgeStable(probe, crash, 'sent again after another restart');
}

/** False when there is no session left to ask about; says whose fault that is. */
function judgeLoading(probe: Probe, crash: Crash, resumed: ReadonlyMap<string, ResumedSession>): boolean {
  const missing = [...resumed.values()].find((session) => !session.isLoaded);
  if (missing === undefined) return true;
  // A session that holds only its start may be reclaimed by the next host, and what was rejected added nothing to it.
  // Source: Survive, empty sessions.
  const acknowledged = [...crash.earlier, ...(crash.ack === undefined ? [] : [asLive(crash)])];
  const holdsMore = acknowledged.some((command) => writesTo(missing.sessionId, command));
  crash.isObservable = false;
  if (crash.sent.method === 'session/start' && crash.ack === undefined) return true;
  const { answer } = missing;
  judge(probe, 'durability/session-resumable', passOf(crash), asLive(crash), {
    status: holdsMore ? 'failed' : 'passed',
    ...(!holdsMore && { severity: 'note' }),
    message: holdsMore
      ? `After a crash session/resume of ${missing.sessionId} was answered with ${describeAnswer(answer)}, although commands on it had been acknowledged.`
      : 'The session held only its start and was reclaimed.',
  });
  return false;
}

/** True when an acknowledged command added something to a session, as opposed to starting, loading or sparing it. */
function writesTo(sessionId: string, command: LiveCommand): boolean {
  const { method, answer } = command;
  if (answer.kind !== 'result' || ADDS_NOTHING.has(method) || isCarrierless(method)) return false;
  if (resultOf(answer)['applyOutcome'] === 'noop') return false;
  const isAbout = makesSession(method) ? sessionIn(answer) : command.sessionId;
  return isAbout === undefined || isAbout === sessionId;
}

const ADDS_NOTHING: ReadonlySet<string> = new Set(['session/start', 'session/resume']);

/** Commands of the same drive that had been acknowledged before the one at the kill keep their answers too. */
async function judgeEarlier(probe: Probe, crash: Crash): Promise<void> {
  for (const command of crash.earlier) {
    const isDurable = command.answer.kind === 'result' || isRejection(command.answer);
    if (!isDurable || isCarrierless(command.method) || isConflict(command.answer)) continue;
    judgeAfterAck(
      probe,
      { ...crash, ack: command.answer },
      command,
      await replay(probe, passOf(crash), command),
    );
  }
}

function judgeAfterAck(probe: Probe, crash: Crash, command: LiveCommand, again: Answer): void {
  const ack = crash.ack as Answer;
  const { differences } = compareAnswers(ack, again);
  if (crash.point.side === 'after-stop') return void judgeAfterStop(probe, command, again, differences);
  const isAbandoned = ack.kind === 'result' && isAbandonment(again);
  const isExcused =
    differences.length === 0 || isAbandoned || saysPromptIsOver(command.method, again.errorKind);
  judge(probe, 'idempotency/crash-after-ack-durable', 'crash-after-ack', command, {
    status: isExcused ? 'passed' : 'failed',
    message: isExcused
      ? ''
      : `${called(command)} had been answered when the server was killed; replayed after the restart it got ${describeAnswer(again)}. ` +
        'Expected the identical answer, or the durable rejection of an abandoned command.',
    ...(!isExcused && { differences }),
  });
}

/** After an orderly stop the cancelled turn is settled and its command answers its ack; a rejection is worth a warning. */
function judgeAfterStop(
  probe: Probe,
  command: LiveCommand,
  again: Answer,
  differences: readonly Difference[],
): void {
  const isRejected = command.answer.kind === 'result' && isAbandonment(again);
  const isSame = differences.length === 0;
  judge(probe, 'idempotency/restart-duplicate-identical', 'restart', command, {
    status: isSame ? 'passed' : isRejected ? 'warned' : 'failed',
    message: isSame
      ? ''
      : `${called(command)} was replayed after an orderly stop with its turn still going, and got ${describeAnswer(again)} instead of its ack.`,
    ...(!isSame && { differences }),
  });
}

/** Without an ack, anything that a first sending could be answered with will do, and so will an abandoned rejection. */
function judgeFirstAnswer(probe: Probe, crash: Crash, command: LiveCommand, first: Answer): void {
  const isWrong = isConflict(first) || first.errorKind === 'internal';
  judge(probe, 'idempotency/crash-before-ack-safe', 'crash-before-ack', command, {
    status: isWrong ? 'failed' : 'passed',
    message: isWrong
      ? `${called(command)} was sent ${crash.point.delayMs.toFixed(1)} ms before the server was killed; replayed with the same payload it got ${describeAnswer(first)}.`
      : '',
  });
}

async function judgeStable(probe: Probe, crash: Crash, circumstance: string): Promise<void> {
  const { settled } = crash;
  const command = asLive(crash);
  if (settled === undefined || isCarrierless(command.method)) return;
  const again = await replay(probe, passOf(crash), command);
  const isDurable = settled.kind === 'result' || isRejection(settled);
  const differences = isDurable ? compareAnswers(settled, again).differences : [];
  const isSettlement =
    settled.kind === 'result' &&
    resultOf(settled)['disposition'] === 'queued' &&
    isRejection(again) &&
    !isConflict(again);
  const isOver = saysPromptIsOver(command.method, again.errorKind);
  const isStable =
    differences.length === 0 ||
    isSettlement ||
    isOver ||
    (await hasDiedSince(probe, command, settled, again));
  judge(probe, 'idempotency/crash-answer-stable', passOf(crash), command, {
    status: isStable ? 'passed' : 'failed',
    message: isStable
      ? ''
      : `${called(command)}, ${circumstance}, got ${describeAnswer(again)}; after the kill it had got ${describeAnswer(settled)}.`,
    ...(!isStable && { differences }),
  });
}

/**
 * True where what the replay set going (a turn that waits for somebody) was pending when the next host died: that
 * settles it as abandoned. A turn that was completed had been settled before.
 */
async function hasDiedSince(
  probe: Probe,
  command: LiveCommand,
  settled: Answer,
  again: Answer,
): Promise<boolean> {
  if (settled.kind !== 'result' || !isAbandonment(again)) return false;
  const effects = await effectsOf(probe, command);
  return !effects.some(
    ({ method, params }) => method === 'turn/completed' && params['terminal'] === 'completed',
  );
}

/** A session that the replay of session/start names belongs to the crash from here on. */
function noteStartedSession(crash: Crash, answer: Answer): void {
  const session = sessionIn(answer);
  if (session !== undefined && makesSession(crash.sent.method)) crash.sessions.add(session);
}
