import type { PassName } from '../checks/finding.js';
import { isMintedAnew } from '../replay/client-frame.js';
import { asCommand } from '../replay/commands.js';
import { drive } from '../replay/drive.js';
import { DriveContext, type LiveCommand } from '../replay/drive-context.js';
import type { LiveEvent, Outcome } from '../replay/exchange.js';
import type { ClientStep } from '../replay/script.js';
import { compareAnswers, isRejection } from './compare-answers.js';
import { type Excess, excessOf } from './effects.js';
import { makesSession } from './exceptions.js';
import { type Repetition, reportFailedDrive } from './failed-drive.js';
import { underId } from './lines.js';
import { LiveEvents } from './live-events.js';
import { type MutationMeans, mutationsOf } from './mutations.js';
import { judgeSameAnswer, PassEnded, type Probe, replay } from './probe.js';
import { quiesce } from './quiesce.js';
import { replayConflict } from './replay-command.js';
import { newSessions } from './session-count.js';
import { listedSessions } from './sessions.js';
import { readSession, type ViewEvent } from './view.js';

/** What an inline drive does to the commands on its way. */
export interface InlinePlan {
  /** Writes each command's line twice in one write, before any ack. */
  readonly pipelines: boolean;
  /** Sends each command again as soon as its ack has been read. */
  readonly duplicates: boolean;
  /** Sends another payload under the same id between two duplicates. */
  readonly conflicts: boolean;
  /** The transcript lines of the commands that are replayed; undefined for all. */
  readonly only?: ReadonlySet<number>;
}

export interface InlineOutcome {
  readonly commands: readonly LiveCommand[];
  readonly sessions: ReadonlySet<string>;
  readonly excess: readonly Excess[];
  /** Why effects cannot be counted; undefined when they were. */
  readonly blind: string | undefined;
}

/**
 * Drives the recording once more, under fresh ids on the same host, with every command replayed while the work it
 * asked for is still going on. Acks are judged at once; what happened is counted at the end.
 */
export async function inlineDrive(
  probe: Probe,
  plan: InlinePlan,
  means: MutationMeans,
  control: ReadonlyMap<string, number>,
): Promise<InlineOutcome> {
  const { stage, script, bundle, findings } = probe;
  const settings = {
    ids: 'fresh',
    match: 'conformant',
    require: 'core',
    pass: 'duplicate',
    judges: false,
  } as const;
  stage.enter(repetitionOf(plan).pass);
  const context = new DriveContext(script, stage, bundle, settings, findings, true);
  const isChosen = (step: ClientStep) => plan.only === undefined || plan.only.has(step.line);
  const listed = await listedBefore(probe);
  const outcome = await drive(script, context, {
    deliver: (step, line) =>
      plan.pipelines && isChosen(step) ? deliverTwice(probe, context, step, line) : undefined,
    answered: async (command) => {
      if (isChosen(command.step) && isFirst(command, context.commands))
        await replayInline(probe, command, plan, means);
    },
  });
  if (stage.exchange.isClosed)
    throw new PassEnded('the server ended the connection under replays', false, 'process/no-crash');
  if (outcome.status === 'failed' && outcome.timedOut)
    throw new PassEnded(outcome.reason, true, 'idempotency/replay-answered');
  if ('reason' in outcome) await reportFailedDrive(probe, context, outcome, repetitionOf(plan));
  await quiesce(stage.exchange, context.commands);
  const { events, blind } = await eventsOf(probe, context.sessions, context.events());
  const made = newSessions(listed, await listedBefore(probe)).filter(
    (session) => !context.sessions.has(session),
  );
  const excess = [...excessOf(context.commands, events, control), ...sessionExcess(made, context.commands)];
  return { commands: context.commands, sessions: context.sessions, excess, blind };
}

function repetitionOf({ pipelines, duplicates }: InlinePlan): Repetition {
  const what = 'A second drive of the recording, with replays under way,';
  if (pipelines) return { id: 'idempotency/pipelined-single-effect', pass: 'pipelined', what };
  return duplicates
    ? { id: 'idempotency/duplicate-single-effect', pass: 'duplicate', what }
    : { id: 'idempotency/conflict-no-effect', pass: 'conflict', what };
}

/** Asked for only where the recording makes sessions. */
async function listedBefore(probe: Probe): Promise<ReadonlySet<string> | undefined> {
  return probe.script.commands.some(({ method }) => makesSession(method ?? ''))
    ? listedSessions(probe)
    : undefined;
}

function sessionExcess(made: readonly string[], commands: readonly LiveCommand[]): Excess[] {
  if (made.length === 0) return [];
  const makers = commands.filter(({ method, answer }) => makesSession(method) && answer.kind === 'result');
  const command = makers.length === 1 ? makers[0] : undefined;
  return [{ command, what: 'sessions', count: makers.length + made.length, allowed: makers.length }];
}

/** Two equal lines in one write: the second is a duplicate like any other. */
async function deliverTwice(
  probe: Probe,
  context: DriveContext,
  step: ClientStep,
  line: string,
): Promise<Outcome> {
  const { exchange } = context;
  const { message } = step.frame;
  if (message.kind !== 'request' || !step.isCommand || !isMintedAnew(String(step.params['commandId']))) {
    return message.kind === 'request' ? exchange.post(line, message.id) : { kind: 'none', why: 'closed' };
  }
  const secondId = exchange.freshId();
  const answers = [exchange.expectAnswer(message.id), exchange.expectAnswer(secondId)] as const;
  exchange.sendTogether([line, underId(line, secondId)]);
  const [first, second] = await Promise.all(answers);
  if (first.kind === 'none' || second.kind === 'none') return first.kind === 'none' ? first : second;
  const command = asCommand(step, line, first, exchange.trace.clock());
  if (command !== undefined && (first.kind === 'result' || isRejection(first))) {
    // Two equal acks are half of what is promised; the verdict on the other half speaks for both.
    const isHalf = first.kind === 'result' && compareAnswers(first, second).differences.length === 0;
    const id = 'idempotency/pipelined-single-effect';
    if (!isHalf)
      judgeSameAnswer(probe, id, 'pipelined', command, second, 'written twice before the first ack');
  }
  return first;
}

/** A recording may replay a command itself: its second sending is no first ack. */
function isFirst(command: LiveCommand, commands: readonly LiveCommand[]): boolean {
  return commands.find((candidate) => candidate.commandId === command.commandId) === command;
}

async function replayInline(
  probe: Probe,
  command: LiveCommand,
  plan: InlinePlan,
  means: MutationMeans,
): Promise<void> {
  const isRejected = isRejection(command.answer);
  if (command.answer.kind === 'error' && !isRejected) return;
  const id = isRejected ? 'idempotency/rejection-replayed' : 'idempotency/duplicate-ack-identical';
  const pass: PassName = isRejected ? 'rejected' : 'duplicate';
  if (plan.duplicates) {
    judgeSameAnswer(probe, id, pass, command, await replay(probe, pass, command), 'sent again at once');
  }
  const mutation = plan.conflicts ? mutationsOf(command, means)[0] : undefined;
  if (mutation === undefined) return;
  await replayConflict(probe, command, mutation, 'idempotency/conflict-rejected', 'conflict');
  const original = await replay(probe, 'conflict', command);
  const circumstance = 'after a conflicting payload';
  judgeSameAnswer(
    probe,
    'idempotency/original-survives-conflict',
    'conflict',
    command,
    original,
    circumstance,
  );
}

/** Everything that some sessions show: their views or histories, or the live stream where those cannot be read. */
export async function eventsOf(
  { stage }: Probe,
  sessions: Iterable<string>,
  live: readonly LiveEvent[],
): Promise<{ readonly events: ViewEvent[]; readonly blind: string | undefined }> {
  const events: ViewEvent[] = [];
  let blind: string | undefined;
  for (const session of sessions) {
    const reading = await readSession(stage.exchange, session);
    if (reading.kind === 'read') events.push(...reading.events);
    else events.push(...new LiveEvents().fresh(live.filter(({ params }) => params['sessionId'] === session)));
    if (reading.kind === 'unreadable') blind = reading.why;
  }
  return { events, blind };
}
