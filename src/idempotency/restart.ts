import type { LiveCommand } from '../replay/drive-context.js';
import { AFTER_RESTART } from './circumstances.js';
import { isRejection } from './compare-answers.js';
import { describeEvent, isEffect, namedCommand, startedTurn, turnOf } from './effects.js';
import { isCarrierless } from './exceptions.js';
import type { MutationMeans } from './mutations.js';
import type { Probe } from './probe.js';
import { replayCommand } from './replay-command.js';
import { handshake, listedSessions, resumeSession } from './sessions.js';
import { readView, type ViewEvent } from './view.js';
import { ViewWatch } from './view-watch.js';

/** What the views held before the server was stopped. */
export interface BeforeRestart {
  readonly views: ReadonlyMap<string, readonly ViewEvent[]>;
  readonly isQuiet: boolean;
}

export async function beforeRestart(probe: Probe, sessions: Iterable<string>, isQuiet: boolean): Promise<BeforeRestart> {
  const views = new Map<string, readonly ViewEvent[]>();
  for (const session of sessions) {
    const reading = await readView(probe.stage.exchange, session);
    views.set(session, reading.kind === 'read' ? reading.events : []);
  }
  return { views, isQuiet };
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
  const alive = commands.filter(({ method, sessionId }) => isReachable(method, sessionId, resumed));
  const watch = new ViewWatch(stage.exchange, resumed);
  await watch.effects();
  const durable = alive.filter(({ method, answer }) => !isCarrierless(method) && (answer.kind === 'result' || isRejection(answer)));
  for (const command of durable) await replayCommand(probe, command, watch, means, before.isQuiet, AFTER_RESTART);
  const withoutConflicts = { ...probe, passes: new Set([...probe.passes].filter((pass) => pass !== 'conflict')) };
  for (const command of [...durable].reverse()) {
    await replayCommand(withoutConflicts, command, watch, means, before.isQuiet, AFTER_RESTART);
  }
  return resumed;
}

function isReachable(method: string, sessionId: string | undefined, resumed: ReadonlySet<string>): boolean {
  return sessionId === undefined ? resumed.size > 0 || method === 'session/start' : resumed.has(sessionId);
}

async function resumeAll(probe: Probe, before: BeforeRestart, commands: readonly LiveCommand[]): Promise<Set<string>> {
  const { findings, stage } = probe;
  const listed = await listedSessions(probe);
  const resumed = new Set<string>();
  for (const [session, events] of before.views) {
    const isEmpty = !events.some(isEffect);
    const { isLoaded, answer } = await resumeSession(probe, session);
    if (isLoaded) {
      resumed.add(session);
      findings.add('durability/session-resumable', 'restart', { status: 'passed', method: 'session/resume' });
      await judgeSurvival(probe, session, events, commands, before.isQuiet);
    } else if (!isEmpty) {
      const message = `After an orderly restart session/resume of ${session} was answered with ${answer.code} ${answer.errorKind}.`;
      findings.add('durability/session-resumable', 'restart', { status: 'failed', method: 'session/resume', message, evidence: stage.exchange.trace.tail() });
    }
    if (listed !== undefined && !isEmpty) {
      const isListed = listed.has(session);
      findings.add('durability/session-list-complete', 'restart', {
        status: isListed ? 'passed' : 'failed',
        method: 'session/list',
        message: isListed ? '' : `After an orderly restart session/list does not name session ${session}, which holds durable turns or changes.`,
      });
    }
  }
  return resumed;
}

/** Every effect that the view showed before is there after the restart, and no turn ran that nobody asked for. */
async function judgeSurvival(
  probe: Probe,
  session: string,
  events: readonly ViewEvent[],
  commands: readonly LiveCommand[],
  isQuiet: boolean,
): Promise<void> {
  const reading = await readView(probe.stage.exchange, session);
  if (reading.kind !== 'read') return;
  const after = counts(reading.events);
  const lost = [...counts(events)].filter(([what, count]) => (after.get(what) ?? 0) < count);
  probe.findings.add('durability/view-survives', 'restart', {
    status: lost.length > 0 ? 'failed' : 'passed',
    method: 'view/page',
    message: lost.length > 0 ? `After an orderly restart the view of ${session} lacks ${lost.map(([what]) => what).join(', ')}.` : '',
    ...(lost.length > 0 && { evidence: probe.stage.exchange.trace.tail() }),
  });
  if (!isQuiet) return;
  const known = counts(events);
  const ran = reading.events.filter((event) => event.method === 'turn/started' && (known.get(identity(event)) ?? 0) < (after.get(identity(event)) ?? 0));
  const [first] = ran;
  if (first === undefined) return;
  const command = commands.find(({ commandId }) => commandId === namedCommand(first)) ?? commands.find((candidate) => startedTurn(candidate) === turnOf(first));
  const message = `After an orderly restart ${ran.map(describeEvent).join(', ')} appeared, although every turn had ended before.`;
  probe.findings.add('idempotency/restart-single-effect', 'restart', {
    status: 'failed',
    message,
    ...(command !== undefined && { step: command.step.line, method: command.method }),
    evidence: probe.stage.exchange.trace.tail(),
  });
}

function counts(events: readonly ViewEvent[]): Map<string, number> {
  const map = new Map<string, number>();
  for (const event of events.filter(isEffect)) map.set(identity(event), (map.get(identity(event)) ?? 0) + 1);
  return map;
}

/** An event by what it speaks of, cursors and provenance aside. */
function identity(event: ViewEvent): string {
  const approval = event.params['approvalId'] ?? event.params['userInputId'] ?? '';
  return `${describeEvent(event)} ${namedCommand(event) ?? ''} ${approval}`.trim();
}

