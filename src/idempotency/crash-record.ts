import type { CheckId } from '../checks/catalogue.js';
import type { LiveCommand } from '../replay/drive-context.js';
import type { Answer } from '../replay/exchange.js';
import type { CrashPoint } from './crash-plan.js';

/** One command whose host was killed, and what is known of it. */
export interface Crash {
  readonly point: CrashPoint;
  /** The command as it was sent; its `answer` is the ack that was read, or, when none was, undefined. */
  readonly sent: Omit<LiveCommand, 'answer'>;
  readonly ack: Answer | undefined;
  /** Commands of the same drive that had been acknowledged before. */
  readonly earlier: readonly LiveCommand[];
  readonly sessions: Set<string>;
  /** The answer of the first replay after the kill: the one that must be given for ever after. */
  settled: Answer | undefined;
  /** False when the session was reclaimed as empty: there is nothing left to ask about. */
  isObservable: boolean;
  /** True when a time limit kept its turn from being judged. */
  isLate?: boolean;
}

/** The pass that what is found of this crash belongs to. */
export function passOf(crash: Crash): 'crash-after-ack' | 'crash-before-ack' | 'restart' {
  if (crash.point.side === 'after-stop') return 'restart';
  return crash.ack === undefined ? 'crash-before-ack' : 'crash-after-ack';
}

/** The check that forbids a second effect on this side of the ack. */
export function effectCheckOf(crash: Crash): CheckId {
  if (crash.point.side === 'after-stop') return 'idempotency/restart-single-effect';
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
  frame: {
    raw: '',
    value: undefined,
    message: { kind: 'invalid', problem: 'not answered' },
    exact: undefined,
  },
  tookMs: 0,
};
