import type { Cases } from './case.js';
import {
  accept,
  answer,
  ask,
  COMMAND,
  COMMAND_2,
  end,
  event,
  hello,
  notify,
  refuse,
  rename,
  renamed,
  SESSION,
  submit,
  turnCompleted,
  turnStarted,
} from './crafted-frames.js';

const rejected = (id: number, reason: string) =>
  refuse(id, -32030, 'commandRejected', { commandId: COMMAND, reason });
const failure = { kind: 'modelError', message: 'no', retryable: true };
const queued = { disposition: 'queued', startedNewTurn: false };
const unqueued = (n: number, commandId = COMMAND) =>
  event(n, 'turn/unqueued', { turnId: COMMAND, commandId });
const clear = (id: number) => ask(id, 'goal/clear', { sessionId: SESSION, commandId: COMMAND });
const once = [...hello(), rename(2, 'a'), renamed(2)];
const again = (...host: readonly Parameters<typeof end>[0][]) => [...host.map(end), ...hello()];

export const TURN_CASES: Cases = {
  'turn/ack-status': {
    fails: [...hello(), rename(2, 'a'), renamed(2, { status: 'noop' })],
    passes: once,
  },
  'turn/ack-disposition': {
    fails: [...hello(), submit(2), accept(2, { disposition: 'queued' })],
    passes: [...hello(), submit(2), accept(2, queued)],
  },
  'turn/started-once': {
    fails: [...hello(), turnStarted(1), turnCompleted(2), turnStarted(3)],
    passes: [...hello(), turnStarted(1), turnCompleted(2)],
  },
  'turn/terminal-once': {
    fails: [...hello(), turnStarted(1), turnCompleted(2), turnCompleted(3)],
    passes: [...hello(), turnStarted(1), turnCompleted(2)],
  },
  'turn/has-terminal': {
    fails: [
      ...hello(),
      turnStarted(1),
      notify('session/statusChanged', { sessionId: SESSION, status: 'idle', viewCursor: null }),
      end('drained'),
    ],
    passes: [...hello(), turnStarted(1), turnCompleted(2), turnStarted(3, COMMAND_2), end('drained')],
  },
  'turn/unqueued-never-runs': {
    fails: [...hello(), unqueued(1), turnStarted(2)],
    passes: [...hello(), unqueued(1), turnStarted(2, COMMAND_2)],
  },
  'turn/terminal-error': {
    fails: [...hello(), turnCompleted(1, { error: failure })],
    passes: [...hello(), turnCompleted(1, { terminal: 'failed', error: failure })],
  },
  'turn/failure-explained': {
    fails: [...hello(), turnCompleted(1, { terminal: 'failed' })],
    passes: [...hello(), turnCompleted(1, { terminal: 'failed', reason: 'the host died' })],
    gives: 'warned',
  },
  'turn/started-names-command': {
    fails: [...hello(), submit(2), accept(2), turnStarted(1, COMMAND, COMMAND_2)],
    passes: [...hello(), submit(2), accept(2), turnStarted(1)],
  },
  'turn/unqueued-names-command': {
    fails: [...hello(), submit(2), accept(2, queued), unqueued(1, COMMAND_2)],
    passes: [...hello(), submit(2), accept(2, queued), unqueued(1)],
  },
};

export const IDEMPOTENCY_CASES: Cases = {
  'idempotency/missing-command-id': {
    fails: [...hello(), ask(2, 'session/rename', { sessionId: SESSION, name: 'a' }), renamed(2)],
    passes: once,
  },
  'idempotency/malformed-command-id': {
    fails: [...hello(), rename(2, 'a', { commandId: 'abc' }), renamed(2, { commandId: 'abc' })],
    passes: once,
    gives: 'warned',
  },
  'idempotency/ack-echoes-command-id': {
    fails: [...hello(), rename(2, 'a'), renamed(2, { commandId: COMMAND_2 })],
    passes: once,
  },
  'idempotency/turn-id-is-command-id': {
    fails: [...hello(), submit(2), accept(2, { turnId: COMMAND_2 })],
    passes: [...hello(), submit(2), accept(2)],
  },
  'idempotency/duplicate-ack-identical': {
    fails: [...once, rename(3, 'a'), renamed(3, { duplicate: true })],
    passes: [...once, rename(3, 'a'), renamed(3)],
  },
  'idempotency/conflict-false-alarm': {
    fails: [...once, rename(3, 'a'), rejected(3, 'command_id_conflict')],
    passes: [],
  },
  'idempotency/conflict-rejected': {
    fails: [...once, rename(3, 'b'), renamed(3)],
    passes: [...once, rename(3, 'b'), rejected(3, 'command_id_conflict')],
  },
  'idempotency/rejection-replayed': {
    fails: [...hello(), clear(2), rejected(2, 'missing_goal'), clear(3), renamed(3)],
    passes: [...hello(), clear(2), rejected(2, 'missing_goal'), clear(3), rejected(3, 'missing_goal')],
  },
  'idempotency/unspecified-id-reuse': {
    fails: [...once, clear(3), renamed(3)],
    passes: [],
    gives: 'warned',
  },
  'idempotency/unspecified-payload-change': {
    fails: [...once, rename(3, 'a', { future: 1 }), renamed(3)],
    passes: [],
    gives: 'note',
  },
  'idempotency/restart-duplicate-identical': {
    fails: [...once, ...again('restart'), rename(3, 'a'), renamed(3, { name: 'a' })],
    passes: [...once, ...again('restart'), rename(3, 'a'), renamed(3)],
  },
  'idempotency/restart-conflict-rejected': {
    fails: [...once, ...again('restart'), rename(3, 'b'), renamed(3)],
    passes: [...once, ...again('restart'), rename(3, 'b'), rejected(3, 'command_id_conflict')],
  },
  'idempotency/restart-rejection-replayed': {
    fails: [...hello(), clear(2), rejected(2, 'missing_goal'), ...again('restart'), clear(3), renamed(3)],
    passes: [
      ...hello(),
      clear(2),
      rejected(2, 'missing_goal'),
      ...again('restart'),
      clear(3),
      rejected(3, 'missing_goal'),
    ],
  },
  'idempotency/crash-after-ack-durable': {
    fails: [...once, ...again('crash'), rename(3, 'a'), renamed(3, { name: 'a' })],
    passes: [...once, ...again('crash'), rename(3, 'a'), rejected(3, 'abandoned')],
  },
};

/** Answers that the documents allow. */
export const INNOCENT_COMMANDS = {
  'a queued submit whose launch failed': [
    ...hello(),
    submit(2),
    accept(2, queued),
    submit(3),
    rejected(3, 'deferred_start_failed'),
    submit(4),
    rejected(4, 'deferred_start_failed'),
  ],
  'a busy server that admits nothing': [
    ...hello(),
    rename(2, 'a'),
    refuse(2, -32001, 'overloaded'),
    rename(3, 'b'),
    renamed(3),
  ],
  'members in another order': [
    ...once,
    ask(3, 'session/rename', { name: 'a', commandId: COMMAND, sessionId: SESSION }),
    answer(3, { status: 'accepted', commandId: COMMAND }),
  ],
  'a stop whose dedupe ended with its host': [
    ...hello(),
    ask(2, 'turn/cancel', { sessionId: SESSION, commandId: COMMAND, turnId: COMMAND_2 }),
    renamed(2, { turnId: COMMAND_2 }),
    ...again('restart'),
    ask(2, 'turn/cancel', { sessionId: SESSION, commandId: COMMAND, turnId: COMMAND_2 }),
    rejected(2, 'missing_run'),
  ],
  'a turn that fails to launch without a start': [
    ...hello(),
    turnCompleted(1, { terminal: 'failed', error: failure }),
  ],
} as const;
