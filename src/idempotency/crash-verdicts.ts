import type { CheckId } from '../checks/catalogue.js';
import type { LiveCommand } from '../replay/drive-context.js';
import type { Answer } from '../replay/exchange.js';
import { compareAnswers, describeAnswer, isConflict, isRejection } from './compare-answers.js';
import type { Crash } from './crash.js';
import { judgeCrashEffects } from './crash-effects.js';
import { isCarrierless, saysPromptIsOver } from './exceptions.js';
import { called, judge, type Probe, replay, resultOf } from './probe.js';
import { resumeSession, type ResumedSession } from './sessions.js';

/**
 * After the restart that followed a kill: the command is replayed. Its identical ack, its durable abandoned
 * rejection or, when no ack had been read, a first answer will do; whichever it is, it must be given again, and the
 * views must agree with it.
 */
export async function judgeCrash(probe: Probe, crash: Crash, control: ReadonlyMap<string, number>): Promise<void> {
  const resumed = new Map<string, ResumedSession>();
  for (const session of crash.sessions) resumed.set(session, await resumeSession(probe, session));
  if (!judgeLoading(probe, crash, resumed)) return;
  const pass = passOf(crash);
  const command = asLive(crash);
  const first = await replay(probe, pass, command);
  crash.settled = first;
  if (isCarrierless(command.method)) {
    // The ledger of these rows lives as long as the host: they are answered, and that is all that is promised.
    judge(probe, 'idempotency/replay-answered', pass, command, { status: 'passed' });
  } else if (crash.ack === undefined) {
    judgeFirstAnswer(probe, crash, command, first);
  } else {
    judgeAfterAck(probe, command, first, crash.ack);
  }
  noteStartedSession(crash, first);
  await judgeStable(probe, crash, 'sent twice after the restart');
  await judgeCrashEffects(probe, crash, resumed, control);
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
  // A session that holds only its start may be reclaimed by the next host. Source: Survive, empty sessions.
  const others = crash.earlier.filter(({ method }) => method !== 'session/start');
  const holdsMore = others.length > 0 || (crash.ack?.kind === 'result' && crash.sent.method !== 'session/start');
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

function judgeAfterAck(probe: Probe, command: LiveCommand, again: Answer, ack: Answer): void {
  const { differences } = compareAnswers(ack, again);
  const isAbandoned = ack.kind === 'result' && isRejection(again) && !isConflict(again);
  const isExcused = differences.length === 0 || isAbandoned || saysPromptIsOver(command.method, again.errorKind);
  judge(probe, 'idempotency/crash-after-ack-durable', 'crash-after-ack', command, {
    status: isExcused ? 'passed' : 'failed',
    message: isExcused
      ? ''
      : `${called(command)} had been answered when the server was killed; replayed after the restart it got ${describeAnswer(again)}. ` +
        'Expected the identical answer, or the durable rejection of an abandoned command.',
    ...(!isExcused && { differences }),
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
  const isSettlement = settled.kind === 'result' && resultOf(settled)['disposition'] === 'queued' && isRejection(again) && !isConflict(again);
  const isOver = saysPromptIsOver(command.method, again.errorKind);
  const isStable = differences.length === 0 || isSettlement || isOver;
  judge(probe, 'idempotency/crash-answer-stable', passOf(crash), command, {
    status: isStable ? 'passed' : 'failed',
    message: isStable ? '' : `${called(command)}, ${circumstance}, got ${describeAnswer(again)}; after the kill it had got ${describeAnswer(settled)}.`,
    ...(!isStable && { differences }),
  });
}

/** A session that the replay of session/start names belongs to the crash from here on. */
function noteStartedSession(crash: Crash, answer: Answer): void {
  const session = resultOf(answer)['session'] as { readonly sessionId?: unknown } | undefined;
  if (typeof session?.sessionId === 'string' && crash.sent.method === 'session/start') {
    (crash.sessions as Set<string>).add(session.sessionId);
  }
}

export function passOf(crash: Crash): 'crash-after-ack' | 'crash-before-ack' {
  return crash.ack === undefined ? 'crash-before-ack' : 'crash-after-ack';
}

export function effectCheckOf(crash: Crash): CheckId {
  return crash.ack === undefined ? 'idempotency/crash-before-ack-safe' : 'idempotency/crash-single-effect';
}

/** The crashed command with the answer that counts: the ack that was read, or the first one after the restart. */
export function asLive(crash: Crash): LiveCommand {
  const answer = crash.ack ?? crash.settled;
  return { ...crash.sent, answer: answer ?? NOTHING_YET };
}

const NOTHING_YET: Answer = {
  kind: 'result',
  value: null,
  repeatedMembers: [],
  frame: { raw: '', value: undefined, message: { kind: 'invalid', problem: 'not answered' }, exact: undefined },
  tookMs: 0,
};
