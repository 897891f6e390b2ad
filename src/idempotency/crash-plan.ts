import { askedTurn, type LiveCommand } from '../replay/drive-context.js';
import type { Script } from '../replay/script.js';
import { resultOf } from './probe.js';
import { derivedSeed, seededRandom } from './random.js';

/** One kill: at which command, on which side of its ack. */
export interface CrashPoint {
  readonly line: number;
  /** `after-stop` is an orderly stop instead of a kill, with the command's turn still going. */
  readonly side: 'after-ack' | 'before-ack' | 'after-stop';
  /** Before the ack: milliseconds between the write and the kill. */
  readonly delayMs: number;
}

/** Kills are drawn up to this multiple of the usual time to the ack, so that some fall behind it. */
const REACH = 1.25;

/**
 * The ends of a scenario: an orderly stop while each slow or queued turn is going, one kill after each command's ack, and `before` moments between a write and its ack, drawn
 * from the seed. The same seed gives the same commands and the same fractions of the usual ack time.
 */
export function crashPlan(
  script: Script,
  commands: readonly LiveCommand[],
  passes: { readonly after: boolean; readonly before: number; readonly stop: boolean },
  seed: number,
): CrashPoint[] {
  const after = commands.map(({ step }): CrashPoint => ({ line: step.line, side: 'after-ack', delayMs: 0 }));
  const going = commands.filter(
    ({ step, answer }) => step.behaviour === 'slow' || resultOf(answer)['disposition'] === 'queued',
  );
  const stops = going.map(({ step }): CrashPoint => ({ line: step.line, side: 'after-stop', delayMs: 0 }));
  return [
    ...(passes.stop ? stops : []),
    ...(passes.after ? after : []),
    ...beforeAck(script, commands, passes.before, seed),
  ];
}

function beforeAck(
  script: Script,
  commands: readonly LiveCommand[],
  count: number,
  seed: number,
): CrashPoint[] {
  if (commands.length === 0) return [];
  const random = seededRandom(derivedSeed(seed, script.scenario.id));
  // Every kill repeats what comes before it: commands behind a slow turn's end get one each.
  const end = endOfSlowTurn(script);
  const near = commands.filter(({ step }) => step.line < end);
  const far = commands.filter(({ step }) => step.line > end);
  if (near.length === 0) near.push(...far.splice(0));
  const drawn = [
    ...far,
    ...Array.from({ length: count }, (_, index) => near[index % near.length] as LiveCommand),
  ];
  return drawn.slice(0, count).map(({ step, answer }, index) => ({
    line: step.line,
    side: 'before-ack',
    delayMs: index === 0 ? 0 : random() * REACH * answer.tookMs,
  }));
}

/** The transcript line at which the first slow turn is over; infinity when there is none. */
function endOfSlowTurn(script: Script): number {
  const slow = script.commands.filter((step) => step.behaviour === 'slow').map(askedTurn);
  const end = script.steps.find(
    (step) =>
      step.kind === 'server' &&
      step.method === 'turn/completed' &&
      slow.includes(String(step.params['turnId'])),
  );
  return end?.line ?? Number.POSITIVE_INFINITY;
}
