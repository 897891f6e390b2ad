import type { Fault } from '../faults.js';
import type { SessionLog } from '../session-log.js';
import { dropping, forgetting, isRejected } from './forgetting.js';
import { A_QUEUED_TURN, A_STOPPED_TURN, A_TURN, deriving, STATE_CHANGES } from './showing.js';
import { intakeLast, openOnce, openUnsynced, tellingAtOnce } from './storage.js';

/** What a kill leaves behind, and what the next host makes of it. */
export const CRASH_FAULTS: readonly Fault[] = [
  {
    name: 'intake-after-ack',
    breaks: 'The intake of a command is written before its ack.',
    caughtBy: ['idempotency/crash-after-ack-durable'],
    shownBy: deriving(['crash-after-ack'], STATE_CHANGES),
    seams: () => ({ log: tellingAtOnce }),
  },
  {
    name: 'intake-not-synced',
    breaks: 'The intake of a command is on the disk, not in a buffer, before its ack.',
    caughtBy: ['durability/session-resumable'],
    shownBy: deriving(['crash-after-ack'], STATE_CHANGES),
    seams: () => ({ storage: () => openUnsynced }),
  },
  {
    name: 'effect-before-intake',
    breaks: 'The intake of a command is durable before its effect is.',
    caughtBy: ['idempotency/crash-before-ack-safe'],
    shownBy: deriving(['crash-before-ack'], A_TURN),
    seams: () => ({ log: intakeLast }),
  },
  {
    name: 'abandoned-keeps-its-ack',
    breaks: 'A command whose work died with its host is not acknowledged for ever.',
    caughtBy: ['idempotency/abandoned-not-stale'],
    shownBy: deriving(['crash-after-ack'], A_STOPPED_TURN),
    seams: () => ({ abandonment: () => undefined, diedTurn: () => undefined }),
  },
  {
    name: 'abandoned-runs-again',
    breaks: 'A command that was settled as abandoned does not run.',
    caughtBy: ['idempotency/crash-single-effect'],
    shownBy: deriving(['crash-after-ack'], A_STOPPED_TURN),
    seams: () => forgetting((intake, { isReloaded }) => isReloaded && isRejected(intake)),
  },
  {
    name: 'abandoned-answer-changes',
    breaks: 'The answer after a crash is the one for ever after.',
    caughtBy: ['idempotency/crash-answer-stable'],
    shownBy: deriving(['crash-after-ack'], A_STOPPED_TURN),
    seams: () => {
      let asked = 0;
      return {
        known: (intake, { isReloaded }) => {
          if (!intake || !isReloaded || !('error' in intake.answer)) return intake;
          const { error } = intake.answer;
          asked += 1;
          return {
            ...intake,
            answer: { error: { ...error, data: { ...error.data, reason: `abandoned_${asked}` } } },
          };
        },
      };
    },
  },
  {
    name: 'settlement-lost',
    breaks: 'A command that was settled stays so.',
    caughtBy: ['idempotency/restart-duplicate-identical'],
    shownBy: deriving(['restart'], A_TURN),
    seams: () => ({ log: (log) => dropping(log, ({ kind }) => kind === 'settlement') }),
  },
  {
    name: 'died-turn-left-open',
    breaks: 'A turn that died with its host gets a terminal.',
    caughtBy: ['durability/interrupted-turn-settled'],
    shownBy: deriving(['crash-after-ack'], A_STOPPED_TURN),
    seams: () => ({ diedTurn: () => undefined }),
  },
  {
    name: 'queued-turn-launched-twice',
    breaks: 'A queued turn is launched once, whatever restarts come between.',
    caughtBy: ['durability/queued-turn-launched-once'],
    shownBy: deriving(['crash-after-ack'], A_QUEUED_TURN),
    seams: () => {
      const launched = new Set<string>();
      let last: Parameters<NonNullable<ReturnType<Fault['seams']>['nextTurn']>>[0];
      return {
        nextTurn: (turn, { isReloaded }) => {
          const again = last;
          last = turn && isReloaded && !launched.has(turn.turnId) ? turn : undefined;
          if (turn) launched.add(turn.turnId);
          return turn ?? again;
        },
      };
    },
  },
  {
    name: 'queued-turn-lost',
    breaks: 'A queued turn runs after a restart or is settled.',
    caughtBy: ['durability/queued-turn-survives'],
    shownBy: deriving(['crash-after-ack'], A_QUEUED_TURN),
    seams: () => ({
      log: (log) => dropping(log, ({ kind }) => kind === 'queued'),
      abandonment: () => undefined,
    }),
  },
  {
    name: 'change-lost-at-crash',
    breaks: 'A change whose command was acknowledged is there after a crash.',
    caughtBy: ['durability/acknowledged-state-survives'],
    shownBy: deriving(['crash-after-ack'], STATE_CHANGES),
    seams: () => ({ log: withoutEvents('session/approvalModeChanged') }),
  },
  {
    name: 'view-forgets-at-restart',
    breaks: 'Durable events that were delivered are on the view after a restart.',
    caughtBy: ['durability/view-survives'],
    shownBy: deriving(['restart'], A_TURN),
    seams: () => ({ log: withoutEvents('item/completed') }),
  },
  {
    name: 'list-forgets-at-restart',
    breaks: 'A session with turns in it is listed and found after a restart.',
    caughtBy: ['durability/session-list-complete', 'durability/session-resumable'],
    shownBy: deriving(['restart'], A_TURN),
    seams: () => ({ isListed: (isListed, { state }) => isListed && state.isEmpty }),
  },
  {
    name: 'lock-outlives-its-owner',
    breaks: 'A stored session can be resumed by the next host.',
    caughtBy: ['durability/session-resumable'],
    shownBy: deriving(['restart'], A_TURN),
    seams: () => ({ storage: () => openOnce }),
  },
  {
    name: 'drain-leaves-the-turn',
    breaks: 'An orderly end cancels the turn that is running.',
    caughtBy: ['durability/drain-cancels-turn'],
    warnsOnly: true,
    shownBy: deriving(['restart'], A_STOPPED_TURN),
    seams: () => ({ drains: () => false }),
  },
];

function withoutEvents(method: string): (log: SessionLog) => SessionLog {
  return (log) => dropping(log, ({ kind, body }) => kind === 'event' && body['method'] === method);
}
