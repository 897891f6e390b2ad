import { v7 as mintUuid } from 'uuid';
import type { CheckId } from '../../checks/catalogue.js';
import type { PassName } from '../../checks/finding.js';
import type { Scenario } from '../../transcript/scenario.js';
import type { Broken, KnownAt } from './promises-broken.js';
import { APPROVAL, CANCEL, GOAL, LIFECYCLE, PLAIN, QUEUE } from './scenarios.js';
import type { Json, LedgerEntry, Reply, ServerState, Turn } from './server-state.js';

/** One promise broken, and the check that has to find it. */
export interface Offence {
  readonly what: string;
  readonly check: CheckId;
  /** Failed unless the check can only warn. */
  readonly status?: 'warned';
  readonly scenario: Promise<Scenario>;
  readonly passes: readonly PassName[];
  readonly broken: Broken;
  readonly transport?: 'stdio' | 'unix';
  readonly method?: string;
  readonly crashPoints?: number;
  /** What the message must tell an implementer. */
  readonly tells?: RegExp;
}

const withMember = (answer: Reply, members: Json): Reply =>
  'result' in answer ? { result: { ...answer.result, ...members } } : answer;
const onTurn = ({ method }: KnownAt) => method === 'turn/start';
const onRename = ({ method }: KnownAt) => method === 'session/rename';
const forgotten = (): undefined => undefined;
const forgetWhen =
  (isForgotten: (entry: LedgerEntry, at: KnownAt) => boolean) =>
  (entry: LedgerEntry | undefined, at: KnownAt): LedgerEntry | undefined =>
    entry !== undefined && isForgotten(entry, at) ? undefined : entry;
const loseAllButStarts = ({ sessions, ledger }: ServerState): void => {
  for (const { events } of Object.values(sessions)) events.length = 0;
  for (const [commandId, { method }] of Object.entries(ledger))
    if (method !== 'session/start') delete ledger[commandId];
};
const isRejected = ({ answer }: LedgerEntry) => 'error' in answer;
const afterRestart = ['restart'] as const;
const crashAfter = ['crash-after-ack'] as const;
const crashBefore = ['crash-before-ack'] as const;

/** At least one offence for every check of these families that a pass can fail. */
export const OFFENCES: readonly Offence[] = [
  {
    what: 'drops a replay in silence',
    check: 'idempotency/replay-answered',
    scenario: PLAIN,
    passes: ['duplicate'],
    broken: { fate: ({ method, times }) => (method === 'session/rename' && times > 1 ? 'mute' : 'answer') },
    method: 'session/rename',
    tells: /got no answer/,
  },
  {
    what: 'adds a member to the replayed ack',
    check: 'idempotency/duplicate-ack-identical',
    scenario: PLAIN,
    passes: ['duplicate'],
    broken: { replay: (answer) => withMember(answer, { duplicate: true }) },
  },
  {
    what: 'changes the status of the replayed ack',
    check: 'idempotency/duplicate-ack-identical',
    scenario: PLAIN,
    passes: ['duplicate'],
    broken: { replay: (answer, at) => (onRename(at) ? withMember(answer, { status: 'duplicate' }) : answer) },
    method: 'session/rename',
  },
  {
    what: 'runs a duplicated turn again',
    check: 'idempotency/duplicate-single-effect',
    scenario: PLAIN,
    passes: ['duplicate'],
    broken: { runsAgain: onTurn },
    method: 'turn/start',
  },
  {
    what: 'runs a duplicated rename again, which names no command',
    check: 'idempotency/duplicate-single-effect',
    scenario: PLAIN,
    passes: ['duplicate'],
    broken: { runsAgain: onRename },
    method: 'session/rename',
  },
  {
    what: 'makes a second session for a duplicated fork',
    check: 'idempotency/duplicate-single-effect',
    scenario: LIFECYCLE,
    passes: ['duplicate'],
    broken: { runsAgain: ({ method }) => method === 'session/fork' },
    method: 'session/fork',
    tells: /session\/list now names/,
  },
  {
    what: 'queues a duplicate behind a running turn and runs it later, without a view to page',
    check: 'idempotency/duplicate-single-effect',
    scenario: PLAIN,
    passes: ['duplicate'],
    broken: { runsAgain: onTurn, lacks: new Set(['view/page']) },
    method: 'turn/start',
  },
  {
    what: 'runs a duplicate, and serves history to resume only',
    check: 'idempotency/duplicate-single-effect',
    scenario: PLAIN,
    passes: ['duplicate'],
    broken: { runsAgain: onTurn, lacks: new Set(['view/page', 'session/read']) },
    method: 'turn/start',
  },
  {
    what: 'signs payloads by the order of their members',
    check: 'idempotency/reordered-is-duplicate',
    scenario: PLAIN,
    passes: ['reordered'],
    broken: { signature: (params) => JSON.stringify(params) },
  },
  {
    what: 'does not see a line that comes again in the same write',
    check: 'idempotency/pipelined-single-effect',
    scenario: PLAIN,
    passes: ['pipelined'],
    broken: { runsAgain: ({ isPipelined, method }) => isPipelined && method === 'turn/start' },
    method: 'turn/start',
  },
  {
    what: 'runs a rename twice that comes twice in one write, which names no command',
    check: 'idempotency/pipelined-single-effect',
    scenario: PLAIN,
    passes: ['pipelined'],
    broken: { runsAgain: ({ isPipelined, method }) => isPipelined && method === 'session/rename' },
    method: 'session/rename',
  },
  {
    what: 'keeps its ledger by connection',
    check: 'idempotency/reconnect-duplicate',
    scenario: GOAL,
    passes: ['reconnect'],
    broken: { known: forgetWhen((_entry, { connection }) => connection > 1) },
    transport: 'unix',
  },
  {
    what: 'forgets what a lost connection had sent',
    check: 'idempotency/reconnect-duplicate',
    scenario: PLAIN,
    passes: ['reconnect'],
    broken: { runsAgain: ({ connection, method }) => connection > 2 && method === 'turn/start' },
    transport: 'unix',
    method: 'turn/start',
    tells: /connection was lost/,
  },
  {
    what: 'answers a conflict with the old ack',
    check: 'idempotency/conflict-rejected',
    scenario: PLAIN,
    passes: ['conflict'],
    broken: { conflict: (_answer, entry) => entry.answer },
  },
  {
    what: 'signs the top-level members only',
    check: 'idempotency/conflict-rejected',
    scenario: PLAIN,
    passes: ['conflict'],
    broken: { signature: ({ input: _input, ...params }) => JSON.stringify(Object.entries(params).sort()) },
    method: 'turn/start',
    tells: /input/,
  },
  {
    what: 'carries a conflicting payload out',
    check: 'idempotency/conflict-no-effect',
    scenario: PLAIN,
    passes: ['conflict'],
    broken: { runsAgain: ({ isConflict, method }) => isConflict && method === 'session/rename' },
    method: 'session/rename',
  },
  {
    what: 'takes the payload of a conflict for the original one',
    check: 'idempotency/original-survives-conflict',
    scenario: PLAIN,
    passes: ['conflict'],
    broken: {
      conflict: (answer, entry) => {
        entry.signature = 'of the conflict';
        return answer;
      },
    },
  },
  {
    what: 'carries a rejected command out when it comes again',
    check: 'idempotency/rejection-replayed',
    scenario: GOAL,
    passes: ['rejected'],
    broken: { known: forgetWhen(isRejected) },
    method: 'goal/pause',
  },
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
    what: 'mints a commandId where none is given',
    check: 'idempotency/missing-command-id',
    scenario: PLAIN,
    passes: ['malformed'],
    broken: { badCommandId: (given) => (given === undefined ? mintUuid() : undefined) },
    tells: /minted/,
  },
  {
    what: 'takes any text for a commandId',
    check: 'idempotency/malformed-command-id',
    status: 'warned',
    scenario: PLAIN,
    passes: ['malformed'],
    broken: { badCommandId: (given) => (typeof given === 'string' ? mintUuid() : undefined) },
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
    what: 'dies of a replay',
    check: 'process/no-crash',
    scenario: PLAIN,
    passes: ['duplicate', 'restart'],
    broken: { fate: ({ method, times }) => (method === 'session/rename' && times === 2 ? 'die' : 'answer') },
    tells: /exit code 9[\s\S]*the last words/,
  },
  {
    what: 'does not start again on its state',
    check: 'process/restarts',
    scenario: PLAIN,
    passes: afterRestart,
    broken: { starts: (life) => life === 1 },
  },
];
