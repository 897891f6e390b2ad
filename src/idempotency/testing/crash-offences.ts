import { forgetWhen, type Offence, onTurn, withMember } from './offence.js';
import { CANCEL, PLAIN, QUEUE } from './scenarios.js';
import type { ServerState, Turn } from './server-state.js';

const forgotten = (): undefined => undefined;
const crashAfter = ['crash-after-ack'] as const;
const crashBefore = ['crash-before-ack'] as const;

const loseAllButStarts = ({ sessions, ledger }: ServerState): void => {
  for (const { events } of Object.values(sessions)) events.length = 0;
  for (const [commandId, { method }] of Object.entries(ledger))
    if (method !== 'session/start') delete ledger[commandId];
};

/** Promises broken over a kill. */
export const CRASH_OFFENCES: readonly Offence[] = [
  {
    what: 'loses at a kill what it had not synced',
    check: 'idempotency/crash-after-ack-durable',
    scenario: PLAIN,
    passes: crashAfter,
    broken: { loaded: loseAllButStarts },
    method: 'turn/start',
    tells: /intake must be on disk/,
  },
  {
    what: 'takes a known start for a new one after a kill',
    check: 'idempotency/crash-after-ack-durable',
    scenario: PLAIN,
    passes: crashAfter,
    broken: {
      known: forgetWhen((_entry, { isReloaded, method }) => isReloaded && method === 'session/start'),
    },
    method: 'session/start',
  },
  {
    what: 'runs a turn again when it is replayed after a kill',
    check: 'idempotency/crash-single-effect',
    scenario: PLAIN,
    passes: crashAfter,
    broken: { runsAgain: (at) => at.isReloaded && onTurn(at) },
  },
  {
    what: 'answers the ack of a turn that died for ever',
    check: 'idempotency/abandoned-not-stale',
    scenario: CANCEL,
    passes: crashAfter,
    broken: { settlement: forgotten, deathTerminal: forgotten },
    method: 'turn/start',
  },
  {
    what: 'answers otherwise each time after a kill',
    check: 'idempotency/crash-answer-stable',
    scenario: PLAIN,
    passes: crashAfter,
    broken: {
      replay: (answer, { isReloaded }) =>
        isReloaded ? withMember(answer, { at: performance.now() }) : answer,
    },
  },
  {
    what: 'does the work before the intake is written',
    check: 'idempotency/crash-before-ack-safe',
    scenario: PLAIN,
    passes: crashBefore,
    broken: { known: forgetWhen((_entry, { isReloaded }) => isReloaded), worksFirst: true },
    crashPoints: 6,
  },
  {
    what: 'keeps names in memory',
    check: 'durability/acknowledged-state-survives',
    scenario: PLAIN,
    passes: crashAfter,
    broken: {
      loaded: ({ sessions }) => {
        for (const { events } of Object.values(sessions)) {
          const at = events.findIndex(({ method }) => method === 'session/nameChanged');
          if (at >= 0) events.splice(at, 1);
        }
      },
      settlement: forgotten,
    },
    method: 'session/rename',
  },
  {
    what: 'keeps its queue in memory',
    check: 'durability/queued-turn-survives',
    scenario: QUEUE,
    passes: crashAfter,
    broken: { launched: () => [], settlement: forgotten },
    method: 'turn/start',
  },
  {
    what: 'launches a queued turn twice',
    check: 'durability/queued-turn-launched-once',
    scenario: QUEUE,
    passes: crashAfter,
    broken: { launched: (turns: Turn[]) => [...turns, ...turns], settlement: forgotten },
    method: 'turn/start',
  },
  {
    what: 'leaves the turn that died open',
    check: 'durability/interrupted-turn-settled',
    scenario: CANCEL,
    passes: crashAfter,
    broken: { deathTerminal: forgotten },
    method: 'turn/start',
  },
];
