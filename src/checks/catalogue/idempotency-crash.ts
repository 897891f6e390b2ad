import type { CheckDefinition } from './definition.js';

/** One commandId, one effect, one answer: across a restart or a kill of the host. */
export const IDEMPOTENCY_CRASH_CHECKS = [
  {
    id: 'idempotency/restart-duplicate-identical',
    severity: 'must',
    title: 'The ack survives a restart',
    requirement: 'After an orderly restart a replayed command gets the ack that it got before.',
    source: 'Commands and idempotency: durable dedupe',
    explanation: 'The ledger is on disk, with the answer or with all that is needed to give it again.',
    typicalMistake:
      'A ledger in memory: after the restart the command looks new, runs again and gets another ack. Or an ack that holds what a restart changes.',
    howToSee: 'Send a command, close stdin, start again, resume, and send it again.',
  },
  {
    id: 'idempotency/restart-single-effect',
    severity: 'must',
    title: 'A replay after a restart has no effect',
    requirement: 'After an orderly restart a replayed command is not applied again.',
    source: 'Commands and idempotency: durable dedupe',
    explanation: 'Effects are counted on the durable view before and after.',
    typicalMistake:
      'A ledger in memory alone: the command is taken for a new one. Or an index that is rebuilt from the last part of the log only, or from one session’s log.',
    howToSee:
      'Start a turn, let it end, close stdin, start again, resume, send the same line, and count turn/started on view/page.',
  },
  {
    id: 'idempotency/restart-conflict-rejected',
    severity: 'must',
    title: 'Conflicts are found after a restart',
    requirement: 'After a restart a known commandId with a changed payload is still a conflict.',
    source: 'Commands and idempotency: payload identity',
    explanation: 'The signature of the first payload is durable as the intake is.',
    typicalMistake: 'Storing ids without signatures, or keeping the signatures in memory.',
    howToSee: 'Restart, then send a known commandId with another text.',
  },
  {
    id: 'idempotency/restart-rejection-replayed',
    severity: 'must',
    title: 'Rejections survive a restart',
    requirement: 'After a restart a durably rejected command gets the same rejection.',
    source: 'Commands and idempotency: rejections are idempotent too',
    explanation: 'Otherwise a late retry could succeed long after the user gave up.',
    typicalMistake: 'Logging accepted commands only, or logging the rejection without its reason.',
    howToSee: 'Provoke a rejection, restart, resume, replay.',
  },
  {
    id: 'idempotency/crash-after-ack-durable',
    severity: 'must',
    title: 'An acknowledged command survives a kill',
    requirement:
      'After a kill at the ack, the replay gets the identical ack or the durable abandoned rejection, never a first run.',
    source: 'Commands and idempotency: ack-then-crash is safe',
    explanation: 'The intake is durable before the ack is written.',
    typicalMistake:
      'Writing the ack before the record is synced, or a record that waits in a buffer of the process.',
    howToSee: 'Kill -9 the server as the ack arrives, start it, resume, replay.',
  },
  {
    id: 'idempotency/crash-single-effect',
    severity: 'must',
    title: 'No command runs twice over a kill',
    requirement: 'Whatever the moment of a kill, a command and its replay have at most one effect.',
    source: 'Commands and idempotency: exactly-once effect; durable dedupe',
    explanation: 'Effects are counted on the durable view after the replay.',
    typicalMistake: 'Recovery that runs an unsettled intake again, and a replay that does too.',
    howToSee: 'Kill in a turn, start, replay, and count turn/started and userMessage items.',
  },
  {
    id: 'idempotency/abandoned-not-stale',
    severity: 'must',
    title: 'No ack for work that will never settle',
    requirement:
      'A command that is acknowledged on replay has settled, runs or is queued; abandoned work is rejected.',
    source: 'Commands and idempotency: never a stale pending ack',
    explanation: 'A client that gets the old ack waits for a terminal that never comes.',
    typicalMistake:
      'Answering every known id with its stored ack, without asking whether the work behind it is still going.',
    howToSee: 'Kill in a turn, start, replay, and look for the turn’s end on the view.',
  },
  {
    id: 'idempotency/crash-answer-stable',
    severity: 'must',
    title: 'The answer after a crash stays the same',
    requirement: 'The first answer that a command gets after a crash is the one it gets from then on.',
    source: 'Commands and idempotency: settled record',
    explanation: 'Settlement happens once; another restart does not change it.',
    typicalMistake:
      'Deriving the answer from what happens to be running, or settling in memory and forgetting it at the next start.',
    howToSee: 'Replay twice, restart, replay again, and compare.',
  },
  {
    id: 'idempotency/crash-before-ack-safe',
    severity: 'must',
    title: 'A kill before the ack leaves nothing half done',
    requirement:
      'A command cut off before its ack can be replayed: one effect if accepted, at most one if abandoned.',
    source: 'Commands and idempotency: replaying without an ack is always safe',
    explanation:
      'The client cannot know on which side of the intake the kill fell, so both must come out right.',
    typicalMistake:
      'Doing the effect before the intake is on disk, or writing both in an order that a kill can cut in two.',
    howToSee: 'Kill the server a few milliseconds after the write, start it, replay.',
  },
] as const satisfies readonly CheckDefinition[];
