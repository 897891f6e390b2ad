import type { KnownContext, Seams } from '../faults.js';
import type { JsonObject } from '../json.js';
import type { Intake } from '../ledger.js';
import type { LogRecord, SessionLog } from '../session-log.js';

/**
 * A ledger that does not know some commands that it should, so that they run again. The log keeps only the first
 * intake of each: it would refuse another one under the same id, and the fault would be seen for a crash.
 */
export function forgetting(
  isForgotten: (intake: Intake, at: KnownContext) => boolean,
): Pick<Seams, 'known' | 'log'> {
  const again = new Set<string>();
  return {
    known: (intake, at) => {
      if (!intake || !isForgotten(intake, at)) return intake;
      again.add(intake.commandId);
      return undefined;
    },
    log: (log) => dropping(log, ({ kind, id }) => INTAKE.has(kind) && id !== undefined && again.has(id)),
  };
}

const INTAKE: ReadonlySet<string> = new Set(['command', 'settlement']);

/** A log into which some records never get. */
export function dropping(log: SessionLog, isDropped: (record: LogRecord) => boolean): SessionLog {
  return {
    get path() {
      return log.path;
    },
    get nextSequence() {
      return log.nextSequence;
    },
    append: (record) => (isDropped(record) ? Promise.resolve() : log.append(record)),
    close: () => log.close(),
  };
}

/** The ledger's ack is changed when it is given again; a rejection is given as it was. */
export function replayingAck(change: (result: JsonObject) => JsonObject): Pick<Seams, 'known'> {
  return {
    known: (intake) =>
      intake && 'result' in intake.answer
        ? { ...intake, answer: { result: change(intake.answer.result) } }
        : intake,
  };
}

export function isSamePayload(intake: Intake, { signature }: KnownContext): boolean {
  return intake.signature === signature;
}

export function isRejected({ answer }: Intake): boolean {
  return 'error' in answer;
}
