import type { CheckDefinition } from './definition.js';

/** The server as a process. */
export const PROCESS_CHECKS = [
  {
    id: 'process/orderly-exit',
    severity: 'must',
    title: 'Closing stdin ends the server',
    requirement: 'When its stdin closes, the server drains, settles what runs, and exits by itself.',
    source: 'MSP exit classification: orderly drain',
    explanation:
      'Clients end a host by closing the pipe; one that stays keeps its leases and blocks the next.',
    typicalMistake: 'A timer, a watcher or a socket that keeps the event loop alive.',
    howToSee: 'Run the server with `< /dev/null` and wait for its end.',
  },
  {
    id: 'process/exit-code',
    severity: 'must',
    title: 'An orderly end has exit code 0',
    requirement: 'After stdin closed and the drain is done, the exit code is 0.',
    source: 'MSP exit classification: exit codes',
    explanation: 'Clients tell a clean end from a crash by this number alone.',
    typicalMistake: 'Treating end of input as an error.',
    howToSee: 'Run the server with `< /dev/null; echo $?`.',
  },
  {
    id: 'process/no-crash',
    severity: 'must',
    title: 'The server does not die by itself',
    requirement: 'No frame that a client may send ends the server’s process.',
    source: 'MSP exit classification: crash; framing and caps',
    explanation: 'One host serves many sessions; a crash ends all of them without a record.',
    typicalMistake: 'An unhandled rejection in a request handler.',
    howToSee: 'Send the frames before the end of the trace again and watch the process.',
  },
  {
    id: 'process/restarts',
    severity: 'must',
    title: 'The server starts again on its state',
    requirement: 'A host opens the state that an earlier host left, however that one ended.',
    source: 'MSP sessions and turns: writer lease; durability profiles',
    explanation: 'The lease goes with the process, and a log with a torn end is still a log.',
    typicalMistake: 'A stale lock file, or a loader that refuses an unfinished last line.',
    howToSee: 'Kill the server in the middle of a turn and start it on the same state.',
  },
] as const satisfies readonly CheckDefinition[];
