import type { Fault } from '../faults.js';
import type { JsonObject } from '../json.js';
import { forgetting, isSamePayload, replayingAck } from './forgetting.js';
import { A_TURN, deriving } from './showing.js';

const REPLAYED = deriving(['duplicate'], A_TURN);

/** One commandId, one effect, one answer. */
export const LEDGER_FAULTS: readonly Fault[] = [
  {
    name: 'duplicate-runs-again',
    breaks: 'A command that comes twice is applied once.',
    caughtBy: ['idempotency/duplicate-single-effect'],
    shownBy: REPLAYED,
    seams: () => forgetting(isSamePayload),
  },
  {
    name: 'pipelined-lines-both-run',
    breaks: 'Two equal lines in one write are applied once.',
    caughtBy: ['idempotency/pipelined-single-effect'],
    shownBy: deriving(['pipelined'], A_TURN),
    seams: () => {
      const fresh = new Set<string>();
      const { known, log } = forgetting((intake) => fresh.has(intake.commandId));
      return {
        log,
        known: (intake, at) => {
          const answer = known(intake, at);
          fresh.add(at.commandId);
          setImmediate(() => fresh.delete(at.commandId));
          return answer;
        },
      };
    },
  },
  {
    name: 'ledger-per-connection',
    breaks: 'A commandId is known on every connection of the host.',
    caughtBy: ['idempotency/reconnect-duplicate'],
    shownBy: { ...deriving(['reconnect'], A_TURN), needsSocket: true },
    seams: () => {
      const seen = new WeakMap<object, Set<string>>();
      const { known, log } = forgetting(
        ({ commandId }, { connection }) => !seen.get(connection)?.has(commandId),
      );
      return {
        log,
        known: (intake, at) => {
          const answer = known(intake, at);
          seen.set(at.connection, new Set(seen.get(at.connection)).add(at.commandId));
          return answer;
        },
      };
    },
  },
  {
    name: 'ledger-in-memory',
    breaks: 'The intake of a command is on disk before its ack.',
    caughtBy: ['idempotency/restart-single-effect'],
    shownBy: deriving(['restart'], A_TURN),
    seams: () => ({ hasCarrier: () => false }),
  },
  {
    name: 'ledger-forgets-at-restart',
    breaks: 'A commandId is known after a restart.',
    caughtBy: ['idempotency/restart-single-effect'],
    shownBy: deriving(['restart'], A_TURN),
    seams: () => forgetting((_, { isReloaded }) => isReloaded),
  },
  {
    name: 'start-creates-again',
    breaks: 'A session/start that comes twice creates one session.',
    caughtBy: ['idempotency/duplicate-single-effect'],
    shownBy: REPLAYED,
    seams: () => forgetting(({ method }) => method === 'session/start'),
  },
  {
    name: 'replay-ack-lacks-a-member',
    breaks: 'The ack of a replay has every member of the first one.',
    caughtBy: ['idempotency/duplicate-ack-identical'],
    shownBy: REPLAYED,
    seams: () => replayingAck(({ turnId: _, ...rest }) => rest),
  },
  {
    name: 'replay-ack-has-a-flag',
    breaks: 'The ack of a replay does not tell that it is one.',
    caughtBy: ['idempotency/duplicate-ack-identical'],
    shownBy: REPLAYED,
    seams: () => replayingAck((result) => ({ ...result, duplicate: true })),
  },
  {
    name: 'replay-ack-changes-its-status',
    breaks: 'The ack of a replay has the status of the first one.',
    caughtBy: ['idempotency/duplicate-ack-identical'],
    shownBy: REPLAYED,
    seams: () => replayingAck((result) => ('status' in result ? { ...result, status: 'duplicate' } : result)),
  },
  {
    name: 'replay-ack-changes-deep-inside',
    breaks: 'The result of a replay is identical at every depth.',
    caughtBy: ['idempotency/duplicate-ack-identical'],
    shownBy: REPLAYED,
    seams: () => replayingAck(withSessionSeenNow),
  },
  {
    name: 'replay-ack-drifts-in-a-large-number',
    breaks: 'A number in the ack of a replay has the exact value of the first one.',
    caughtBy: ['idempotency/duplicate-ack-identical'],
    shownBy: REPLAYED,
    seams: () => {
      const seen = new Set<string>();
      return {
        text: (text, { frame }) => {
          const commandId = acknowledged(frame);
          if (commandId === undefined) return text;
          const number = seen.has(commandId) ? '9007199254740992' : '9007199254740993';
          seen.add(commandId);
          return text.replace(/\}\}\n$/, `,"admission":${number}}}\n`);
        },
      };
    },
  },
  {
    name: 'replay-ack-repeats-a-member',
    breaks: 'A member occurs once in the ack of a replay.',
    caughtBy: ['idempotency/duplicate-ack-identical', 'wire/repeated-member'],
    shownBy: REPLAYED,
    seams: () => {
      const seen = new Set<string>();
      return {
        text: (text, { frame }) => {
          const commandId = acknowledged(frame);
          if (commandId === undefined) return text;
          const isReplay = seen.has(commandId);
          seen.add(commandId);
          return isReplay ? text.replace('"status":', '"status":"accepted","status":') : text;
        },
      };
    },
  },
  {
    name: 'replay-unanswered',
    breaks: 'A replay is answered.',
    caughtBy: ['idempotency/replay-answered'],
    shownBy: REPLAYED,
    seams: () => {
      const seen = new Set<string>();
      return {
        frames: (frames) =>
          frames.filter((frame) => {
            const commandId = acknowledged(frame);
            const isReplay = commandId !== undefined && seen.has(commandId);
            seen.add(commandId ?? '');
            return !isReplay;
          }),
      };
    },
  },
];

/** The session as it is now, where the recorded result had it as it was. */
function withSessionSeenNow(result: JsonObject): JsonObject {
  const session = result['session'] as JsonObject | undefined;
  return session ? { ...result, session: { ...session, updatedAt: '2030-01-01T00:00:00.000Z' } } : result;
}

/** The commandId that an ack is about. */
function acknowledged(frame: JsonObject): string | undefined {
  const result = frame['result'] as JsonObject | undefined;
  const isAck = typeof result?.['commandId'] === 'string' && typeof result['status'] === 'string';
  return isAck ? (result['commandId'] as string) : undefined;
}
