import { postUntilAdmitted } from '../replay/busy.js';
import { asCommand } from '../replay/commands.js';
import { drive } from '../replay/drive.js';
import { DriveContext, type LiveCommand, Stopped } from '../replay/drive-context.js';
import type { Exchange, Outcome } from '../replay/exchange.js';
import type { ClientStep } from '../replay/script.js';
import { isRejection } from './compare-answers.js';
import type { CrashPoint } from './crash-plan.js';
import type { Crash } from './crash-record.js';
import { confirmLoss, judgeCrash, judgeLaterRestart } from './crash-verdicts.js';
import { reportFailedDrive } from './failed-drive.js';
import { PassEnded, type Probe } from './probe.js';
import { handshake, sessionIn } from './sessions.js';
import type { ChangeControl } from './state-changes.js';

/**
 * Drives the recording up to a command, kills the server's whole process group on one side of the ack, starts it
 * again on the same state and replays the command; once per point, all on one state directory, so that every start
 * is also a further restart for the crashes before it.
 */
export async function crashReplays(
  probe: Probe,
  points: readonly CrashPoint[],
  control: ChangeControl,
): Promise<void> {
  const { stage } = probe;
  const crashes: Crash[] = [];
  let late: string | undefined;
  await stage.open();
  await handshake(probe);
  for (const point of points) {
    const { crash, isLate } = await driveAndKill(probe, point);
    if (isLate) late ??= `the drive to line ${point.line}`;
    await startAgain(probe, point);
    for (const earlier of crashes.slice(-RECHECKED)) await judgeLaterRestart(probe, earlier);
    if (crash === undefined) continue;
    const isSettled = await judgeCrash(probe, crash, control);
    crashes.push(crash);
    if (crash.isLate) late ??= `the turn of line ${point.line}`;
    if (!isSettled) await lookAgain(probe, point, control);
  }
  if (late !== undefined) throw new PassEnded(`${late} did not come to its end in time`, true);
}

/** The same kill once more, for a closer look at what the replay brings about. */
async function lookAgain(probe: Probe, point: CrashPoint, control: ChangeControl): Promise<void> {
  const { crash } = await driveAndKill(probe, point);
  await startAgain(probe, point);
  if (crash?.ack !== undefined) await confirmLoss(probe, crash, control);
}

async function startAgain(probe: Probe, point: CrashPoint): Promise<void> {
  const { stage } = probe;
  if (point.side === 'after-stop') await stage.stop('restart');
  else await stage.afterKill();
  await stage.open();
  await handshake(probe);
}

/** How many of the crashes before are asked about again at each start: the cost must not grow with their square. */
const RECHECKED = 2;

interface Driven {
  /** Undefined when the drive did not get as far as the command; that has been reported. */
  readonly crash: Crash | undefined;
  /** A time limit kept the drive from getting there. */
  readonly isLate: boolean;
}

async function driveAndKill(probe: Probe, point: CrashPoint): Promise<Driven> {
  const { stage, script, bundle, findings } = probe;
  const pass = point.side === 'after-stop' ? 'restart' : (`crash-${point.side}` as const);
  const settings = { ids: 'fresh', match: 'conformant', require: 'core', pass, judges: false } as const;
  stage.enter(pass);
  const context = new DriveContext(script, stage, bundle, settings, findings, true);
  let crash: Crash | undefined;
  let delivery: Promise<Outcome> | undefined;
  const deliver = (step: ClientStep, line: string) => {
    if (step.line !== point.line) return undefined;
    delivery = killAround(stage.exchange, step, line, point, () => stage.killNow()).then((outcome) => {
      crash = crashOf(step, line, outcome, point, context);
      return outcome;
    });
    return delivery;
  };
  const answered = async (command: LiveCommand) => {
    if (command.step.line === point.line) throw new Stopped({ status: 'ended' });
  };
  const outcome = await drive(script, context, { deliver, answered });
  // An earlier request that dies with the kill may end the drive first.
  await delivery;
  if (crash !== undefined) return { crash, isLate: false };
  const what = `After ${stage.lives - 1} restarts the drive to the command of line ${point.line}`;
  const isLate = await reportFailedDrive(probe, context, outcome, { id: 'process/restarts', pass, what });
  if (point.side !== 'after-stop') stage.killNow();
  return { crash, isLate };
}

async function killAround(
  exchange: Exchange,
  step: ClientStep,
  line: string,
  point: CrashPoint,
  kill: () => void,
): Promise<Outcome> {
  const { message } = step.frame;
  if (message.kind !== 'request') throw new Error('Only requests are commands.');
  if (point.side !== 'before-ack') {
    const outcome = await postUntilAdmitted(exchange, line, message.id);
    if (point.side === 'after-ack') kill();
    return outcome;
  }
  const answer = exchange.expectAnswer(message.id);
  await exchange.send(line);
  await delay(point.delayMs);
  kill();
  return answer;
}

/** A kill at a moment of the plan: timers for the milliseconds, turns of the event loop for the rest. */
async function delay(ms: number): Promise<void> {
  const end = performance.now() + ms;
  if (ms > 4) await new Promise((resolve) => setTimeout(resolve, ms - 2));
  while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
}

/** Undefined when the command was refused without a durable answer: then there is nothing to keep over the kill. */
function crashOf(
  step: ClientStep,
  line: string,
  outcome: Outcome,
  point: CrashPoint,
  context: DriveContext,
): Crash | undefined {
  if (outcome.kind === 'none' && outcome.why === 'timeout')
    throw new PassEnded('the command to crash at got no answer', true, 'idempotency/replay-answered');
  const isAck = outcome.kind === 'result' || (outcome.kind === 'error' && isRejection(outcome));
  if (!isAck && outcome.kind === 'error' && point.side !== 'before-ack') return undefined;
  const ack = isAck ? outcome : undefined;
  const standIn =
    ack ?? ({ kind: 'result', value: null, repeatedMembers: [], frame: step.frame, tookMs: 0 } as const);
  const command = asCommand(step, line, standIn, context.exchange.trace.clock());
  if (command === undefined) return undefined;
  const { answer: _standIn, ...sent } = command;
  const sessions = new Set(context.sessions);
  if (command.sessionId !== undefined) sessions.add(command.sessionId);
  const made = ack && sessionIn(ack);
  if (made !== undefined) sessions.add(made);
  return {
    point,
    sent,
    ack,
    earlier: [...context.commands],
    sessions,
    settled: undefined,
    isObservable: true,
  };
}
