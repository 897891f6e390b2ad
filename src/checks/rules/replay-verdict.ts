import type { Difference } from '../../wire/difference.js';
import type { ExactJson } from '../../wire/exact-json.js';
import type { CheckId } from '../catalogue.js';
import type { Payload } from './payload.js';
import type { Weight } from './verdicts.js';

/** How a command was first answered. */
export interface LedgerEntry {
  readonly method: string;
  readonly sessionId: string | undefined;
  readonly payload: Payload;
  readonly kind: 'success' | 'error';
  /** The result or error; undefined when it was too large to keep. */
  readonly answer: ExactJson | undefined;
  readonly disposition: string | undefined;
  readonly step: number | undefined;
  /** Counts the host's restarts. */
  readonly life: number;
}

/** The same commandId again, and how it was answered. */
export interface Replay {
  readonly method: string;
  readonly sessionId: string | undefined;
  readonly payload: Payload;
  readonly kind: 'success' | 'error';
  readonly errorKind: string | undefined;
  readonly reason: string | undefined;
  /** Of this answer against the first one. */
  readonly differences: readonly Difference[];
  readonly isSameLife: boolean;
  readonly lastEnd: 'restart' | 'crash';
}

export interface ReplayVerdict {
  readonly exercised: readonly CheckId[];
  readonly problem?: {
    readonly id: CheckId;
    readonly message: string;
    readonly weight: Weight;
    readonly differences?: readonly Difference[];
  };
  /** This answer replaces the first one from now on. */
  readonly settlesAnew?: boolean;
}

/** Judges one replay (Commands and idempotency: the three properties). */
export function judgeReplay(entry: LedgerEntry, replay: Replay): ReplayVerdict {
  if (entry.method !== replay.method || entry.sessionId !== replay.sessionId) return judgeReuse(replay);
  if (entry.payload.whole === replay.payload.whole) return judgeDuplicate(entry, replay);
  if (entry.payload.essential === replay.payload.essential)
    return problem('idempotency/unspecified-payload-change', describeChoice(replay), 'note');
  return judgeConflict(replay);
}

/** The scope of an id beyond its method and session is left open. */
function judgeReuse(replay: Replay): ReplayVerdict {
  const weight = replay.kind === 'success' ? 'warning' : 'note';
  return problem(
    'idempotency/unspecified-id-reuse',
    `The commandId was used before on another method or session; ${describeChoice(replay)}`,
    weight,
  );
}

function judgeDuplicate(entry: LedgerEntry, replay: Replay): ReplayVerdict {
  const id = checksFor(replay);
  if (replay.reason === 'command_id_conflict')
    return problem(
      'idempotency/conflict-false-alarm',
      'The same payload was rejected as a conflict.',
      'violation',
    );
  // Everything but a rejection leaves the command as it was, so the client may simply try again.
  if (replay.kind === 'error' && replay.errorKind !== 'commandRejected') return { exercised: [] };
  if (!replay.isSameLife && CARRIERLESS.has(replay.method)) return { exercised: [] };
  if (entry.kind === 'error' && replay.kind === 'success')
    return problem(id.rejection, 'The command was rejected before and is accepted now.', 'violation');
  if (entry.kind === 'success' && replay.kind === 'error')
    return judgeSettlement(entry, replay, id.duplicate);
  const check = entry.kind === 'success' ? id.duplicate : id.rejection;
  if (replay.differences.length === 0) return { exercised: [check] };
  // The message of an error is prose without a promise of stability.
  const isProseOnly = entry.kind === 'error' && replay.differences.every(({ path }) => path === '/message');
  const found = replay.differences.map(({ path }) => path || '(whole answer)').slice(0, 5);
  return problem(
    check,
    `The replay is answered otherwise than the first time, at ${found.join(', ')}.`,
    isProseOnly ? 'warning' : 'violation',
    replay.differences,
  );
}

/** A command that was acknowledged and is rejected on replay. */
function judgeSettlement(entry: LedgerEntry, replay: Replay, check: CheckId): ReplayVerdict {
  // A queued launch may fail, and a restart may find the command abandoned: then its rejection is the answer.
  if (entry.disposition === 'queued' || !replay.isSameLife) return { exercised: [check], settlesAnew: true };
  return problem(
    check,
    `The command was acknowledged and its replay is rejected with reason ${replay.reason ?? 'none'}.`,
    replay.method === 'turn/start' ? 'warning' : 'violation',
  );
}

function judgeConflict(replay: Replay): ReplayVerdict {
  const check = replay.isSameLife ? 'idempotency/conflict-rejected' : 'idempotency/restart-conflict-rejected';
  if (replay.errorKind === 'commandRejected' && replay.reason === 'command_id_conflict')
    return { exercised: [check] };
  if (!replay.isSameLife && CARRIERLESS.has(replay.method)) return { exercised: [] };
  const expected = 'expected commandRejected with reason command_id_conflict';
  if (replay.kind === 'success')
    return problem(
      check,
      `The commandId came with another payload and was accepted; ${expected}.`,
      'violation',
    );
  if (replay.errorKind === 'commandRejected')
    return problem(
      check,
      `The commandId came with another payload; ${expected}, found reason ${replay.reason ?? 'none'}.`,
      'violation',
    );
  // Which of several faults is told first is left open.
  return problem(
    check,
    `The commandId came with another payload; ${expected}, found kind ${replay.errorKind ?? 'none'}.`,
    'warning',
  );
}

/** Methods whose dedupe ends with the host (Commands and idempotency: ruled exceptions). */
const CARRIERLESS: ReadonlySet<string> = new Set([
  'turn/interrupt',
  'turn/cancel',
  'task/stop',
  'task/stopAll',
]);

function checksFor({ isSameLife, lastEnd }: Replay): { duplicate: CheckId; rejection: CheckId } {
  if (isSameLife)
    return { duplicate: 'idempotency/duplicate-ack-identical', rejection: 'idempotency/rejection-replayed' };
  return {
    duplicate:
      lastEnd === 'crash' ? 'idempotency/crash-after-ack-durable' : 'idempotency/restart-duplicate-identical',
    rejection: 'idempotency/restart-rejection-replayed',
  };
}

function describeChoice({ kind, errorKind, reason }: Replay): string {
  if (kind === 'success') return 'the server accepted it.';
  return `the server answered ${reason ?? errorKind ?? 'an error'}.`;
}

function problem(
  id: CheckId,
  message: string,
  weight: Weight,
  differences?: readonly Difference[],
): ReplayVerdict {
  return {
    exercised: [id],
    problem: { id, message, weight, ...(differences === undefined ? {} : { differences }) },
  };
}
