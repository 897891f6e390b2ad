import type { LiveCommand } from '../replay/drive-context.js';
import { worksByItself } from './blame.js';
import { AFTER_RESTART } from './circumstances.js';
import { isRejection } from './compare-answers.js';
import { describeEvent, isEffect, namedCommand, startedTurn, turnOf } from './effects.js';
import { isCarrierless, setsWorkGoing } from './exceptions.js';
import type { MutationMeans } from './mutations.js';
import type { Probe } from './probe.js';
import type { OpenTurns } from './quiesce.js';
import { replayCommand } from './replay-command.js';
import { handshake, listedSessions, resumeSession } from './sessions.js';
import { readSession, type ViewEvent, type ViewReading } from './view.js';
import { beyond, ViewWatch } from './view-watch.js';

/** What the sessions held before the server was stopped. */
export interface BeforeRestart {
  readonly views: ReadonlyMap<string, ViewReading>;
  readonly open: OpenTurns;
}

export async function beforeRestart(
  probe: Probe,
  sessions: Iterable<string>,
  open: OpenTurns,
): Promise<BeforeRestart> {
  const views = new Map<string, ViewReading>();
  for (const session of sessions) views.set(session, await readSession(probe.stage.exchange, session));
  return { views, open };
}

/**
 * Stops the server in order, starts it on the same state, resumes the sessions and replays every command so far, in
 * order and in reverse: acks, conflicts and rejections must be as they were, and nothing may happen again.
 * Returns the sessions that could be resumed.
 */
export async function restartReplays(
  probe: Probe,
  commands: readonly LiveCommand[],
  before: BeforeRestart,
  means: MutationMeans,
): Promise<ReadonlySet<string>> {
  const { stage } = probe;
  await stage.stop('restart');
  await stage.open();
  await handshake(probe);
  const resumed = await resumeAll(probe, before, commands);
  const alive = commands.filter((command) => isReachable(command, resumed));
  const watch = new ViewWatch(stage.exchange, resumed);
  await watch.effects();
  const durable = alive.filter(
    ({ method, answer }) => !isCarrierless(method) && (answer.kind === 'result' || isRejection(answer)),
  );
  const ground = { watch, means, open: before.open };
  for (const command of durable) await replayCommand(probe, command, ground, AFTER_RESTART);
  const withoutConflicts = {
    ...probe,
    passes: new Set([...probe.passes].filter((pass) => pass !== 'conflict')),
  };
  for (const command of [...durable].reverse()) {
    await replayCommand(withoutConflicts, command, ground, AFTER_RESTART);
  }
  return resumed;
}

/** A command of the host's own needs no session. */
function isReachable({ sessionId }: LiveCommand, resumed: ReadonlySet<string>): boolean {
  return sessionId === undefined || resumed.has(sessionId);
}

async function resumeAll(
  probe: Probe,
  before: BeforeRestart,
  commands: readonly LiveCommand[],
): Promise<Set<string>> {
  const { findings, stage } = probe;
  const listed = await listedSessions(probe);
  const resumed = new Set<string>();
  for (const [session, reading] of before.views) {
    const isKept = holdsFacts(reading);
    const { isLoaded, answer } = await resumeSession(probe, session);
    if (isLoaded) {
      resumed.add(session);
      findings.add('durability/session-resumable', 'restart', { status: 'passed', method: 'session/resume' });
      await judgeSurvival(probe, session, reading, commands, before.open);
    } else if (isKept) {
      const message = `After an orderly restart session/resume of ${session} was answered with ${answer.code} ${answer.errorKind}.`;
      findings.add('durability/session-resumable', 'restart', {
        status: 'failed',
        method: 'session/resume',
        message,
        evidence: stage.exchange.trace.tail(),
      });
    }
    if (listed !== undefined && isKept) {
      const isListed = listed.has(session);
      findings.add('durability/session-list-complete', 'restart', {
        status: isListed ? 'passed' : 'failed',
        method: 'session/list',
        message: isListed
          ? ''
          : `After an orderly restart session/list does not name session ${session}, which holds durable turns or changes.`,
      });
    }
  }
  return resumed;
}

/**
 * A session that holds only its start may be reclaimed by the next host; what could not be read may be one. A history
 * tells the settings of every session, also those that nobody changed: there only items and ended turns are facts.
 */
export function holdsFacts(reading: ViewReading): boolean {
  if (reading.kind === 'unreadable') return false;
  if (reading.from === 'view')
    return reading.events.some((event) => isEffect(event) && event.method !== 'session/started');
  return reading.events.some(({ method }) => method === 'item/completed' || method === 'turn/completed');
}

/** Every effect that was there before is there after the restart, and nothing came that nobody asked for. */
async function judgeSurvival(
  probe: Probe,
  session: string,
  before: ViewReading,
  commands: readonly LiveCommand[],
  open: OpenTurns,
): Promise<void> {
  const after = await readSession(probe.stage.exchange, session);
  if (before.kind !== 'read' || after.kind !== 'read' || before.from !== after.from) {
    const why =
      before.kind === 'unreadable'
        ? before.why
        : after.kind === 'unreadable'
          ? after.why
          : 'it is served in another form';
    const message = `What ${session} holds cannot be compared over the restart: ${why}.`;
    probe.findings.add('durability/view-survives', 'restart', {
      status: 'untestable',
      method: 'view/page',
      message,
    });
    return;
  }
  const lost = beyond(after.events.filter(isEffect), before.events.filter(isLasting));
  probe.findings.add('durability/view-survives', 'restart', {
    status: lost.length > 0 ? 'failed' : 'passed',
    method: after.from === 'view' ? 'view/page' : 'session/read',
    message:
      lost.length > 0
        ? `After an orderly restart ${session} lacks ${lost.map(describeEvent).join(', ')}.`
        : '',
    ...(lost.length > 0 && { evidence: probe.stage.exchange.trace.tail() }),
  });
  const fresh = beyond(before.events, after.events.filter(isEffect));
  judgeUnasked(
    probe,
    fresh.filter((event) => isUnasked(event, open, probe, commands)),
    commands,
  );
}

/** That a session was closed is told to those who were there, and need not be told again. */
function isLasting(event: ViewEvent): boolean {
  return isEffect(event) && event.method !== 'session/closed';
}

/**
 * Turns and messages that came with the restart, although every turn had ended before. Settings may be told anew at a
 * load, prompts open and close with their host, and goals go on by themselves.
 */
function isUnasked(
  event: ViewEvent,
  open: OpenTurns,
  probe: Probe,
  commands: readonly LiveCommand[],
): boolean {
  const turn = turnOf(event);
  if (turn !== undefined && open.has(turn)) return false;
  const named = commands.find(({ commandId }) => commandId === namedCommand(event));
  if (worksByItself(probe) && (named === undefined || setsWorkGoing(named.method))) return false;
  return event.method === 'turn/started' || event.method === 'item/completed';
}

function judgeUnasked(probe: Probe, events: readonly ViewEvent[], commands: readonly LiveCommand[]): void {
  const [first] = events;
  if (first === undefined) return;
  const command =
    commands.find(({ commandId }) => commandId === namedCommand(first)) ??
    commands.find(
      (candidate) => startedTurn(candidate) !== undefined && startedTurn(candidate) === turnOf(first),
    );
  const message = `After an orderly restart ${events.map(describeEvent).join(', ')} appeared, although every turn had ended before.`;
  probe.findings.add('idempotency/restart-single-effect', 'restart', {
    status: 'failed',
    message,
    ...(command !== undefined && { step: command.step.line, method: command.method }),
    evidence: probe.stage.exchange.trace.tail(),
  });
}
