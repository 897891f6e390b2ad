import { v7 as mintUuid } from 'uuid';
import { forgetWhen, type Offence, onRename, onTurn, withMember } from './offence.js';
import { GOAL, LIFECYCLE, PLAIN } from './scenarios.js';
import type { LedgerEntry } from './server-state.js';

const isRejected = ({ answer }: LedgerEntry) => 'error' in answer;

/** Promises broken within one life of the host. */
export const LIVE_OFFENCES: readonly Offence[] = [
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
    what: 'counts the cursors of each connection by itself',
    check: 'view/connections-agree',
    scenario: PLAIN,
    passes: ['reconnect'],
    broken: {
      told: (params, { connection }) =>
        connection === 1 ? params : { ...params, viewCursor: `${String(params['viewCursor'])}'` },
    },
    transport: 'unix',
    tells: /turn\/started .* at the cursor c:\d+, the second has .* at the cursor c:\d+'/,
  },
  {
    what: 'keeps an event from the second connection',
    check: 'view/connections-agree',
    scenario: PLAIN,
    passes: ['reconnect'],
    broken: {
      told: (params, { method, connection }) =>
        connection > 1 && method === 'item/completed' ? undefined : params,
    },
    transport: 'unix',
    tells: /the first connection has item\/completed/,
  },
  {
    what: 'never tells the second connection that a turn has ended',
    check: 'view/connections-agree',
    scenario: PLAIN,
    passes: ['reconnect'],
    broken: {
      told: (params, { method, connection }) =>
        connection > 1 && method === 'turn/completed' ? undefined : params,
    },
    transport: 'unix',
    tells: /never told/,
  },
  {
    what: 'tells the second connection less about an event',
    check: 'view/connections-agree',
    status: 'warned',
    scenario: PLAIN,
    passes: ['reconnect'],
    broken: {
      told: (params, { method, connection }) =>
        connection > 1 && method === 'turn/completed' ? { ...params, terminal: 'failed' } : params,
    },
    transport: 'unix',
    tells: /different members/,
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
    what: 'dies of a replay',
    check: 'process/no-crash',
    scenario: PLAIN,
    passes: ['duplicate', 'restart'],
    broken: { fate: ({ method, times }) => (method === 'session/rename' && times === 2 ? 'die' : 'answer') },
    tells: /exit code 9[\s\S]*the last words/,
  },
];
