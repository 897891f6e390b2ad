import { forgetWhen, type Offence, onTurn, withMember } from './offence.js';
import { APPROVAL, CANCEL, GOAL, PLAIN } from './scenarios.js';

const afterRestart = ['restart'] as const;

/** Promises broken over an orderly restart. */
export const RESTART_OFFENCES: readonly Offence[] = [
  {
    what: 'forgets acks at a restart',
    check: 'idempotency/restart-duplicate-identical',
    scenario: PLAIN,
    passes: afterRestart,
    broken: {
      replay: (answer, { isReloaded }) => (isReloaded ? withMember(answer, { status: 'known' }) : answer),
    },
  },
  {
    what: 'runs a command again after a restart',
    check: 'idempotency/restart-single-effect',
    scenario: PLAIN,
    passes: afterRestart,
    broken: { runsAgain: (at) => at.isReloaded && onTurn(at) },
    method: 'turn/start',
  },
  {
    what: 'launches an ended turn again at a load',
    check: 'idempotency/restart-single-effect',
    scenario: PLAIN,
    passes: afterRestart,
    broken: {
      loaded: ({ sessions, ledger }) => {
        for (const session of Object.values(sessions)) {
          const [turnId] =
            Object.entries(ledger).find(
              ([, entry]) => entry.method === 'turn/start' && entry.sessionId === session.sessionId,
            ) ?? [];
          if (turnId !== undefined) session.queue.push({ turnId, commandId: turnId, text: 'again' });
        }
      },
    },
    method: 'turn/start',
  },
  {
    what: 'forgets payloads at a restart',
    check: 'idempotency/restart-conflict-rejected',
    scenario: PLAIN,
    passes: ['restart', 'conflict'],
    broken: { conflict: (answer, entry, { isReloaded }) => (isReloaded ? entry.answer : answer) },
  },
  {
    what: 'forgets rejections at a restart',
    check: 'idempotency/restart-rejection-replayed',
    scenario: GOAL,
    passes: ['restart', 'rejected'],
    broken: {
      replay: (answer, { isReloaded }) =>
        isReloaded && 'error' in answer ? { result: { commandId: 'x', status: 'accepted' } } : answer,
    },
  },
  {
    what: 'cancels whatever runs after a restart',
    check: 'idempotency/carrierless-no-new-effect',
    scenario: CANCEL,
    passes: ['carrierless'],
    broken: {
      cancelsAnything: true,
      known: forgetWhen((_entry, { isReloaded, method }) => isReloaded && method === 'turn/cancel'),
    },
    method: 'turn/cancel',
  },
  {
    what: 'says that a drained turn was completed',
    check: 'durability/drain-cancels-turn',
    status: 'warned',
    scenario: CANCEL,
    passes: afterRestart,
    broken: { drainTerminal: () => 'completed' },
  },
  {
    what: 'loses an event of the view at a restart',
    check: 'durability/view-survives',
    scenario: PLAIN,
    passes: afterRestart,
    broken: {
      loaded: ({ sessions }) => {
        for (const { events } of Object.values(sessions)) events.pop();
      },
    },
    tells: /session\/nameChanged/,
  },
  {
    what: 'does not list what an earlier host has stored',
    check: 'durability/session-list-complete',
    scenario: PLAIN,
    passes: afterRestart,
    broken: { isListed: (_session, life) => life === 1 },
  },
  {
    what: 'cannot resume what an earlier host has stored',
    check: 'durability/session-resumable',
    scenario: APPROVAL,
    passes: afterRestart,
    broken: { isResumable: (_session, life) => life === 1 },
  },
  {
    what: 'does not start again on its state',
    check: 'process/restarts',
    scenario: PLAIN,
    passes: afterRestart,
    broken: { starts: (life) => life === 1 },
  },
];
