import type { PassName } from '../checks/finding.js';

/** What each pass does, for a reader who has not met them. */
export const PASS_WORDS: Readonly<Record<PassName, string>> = {
  replay: 'the session as it was recorded',
  duplicate: 'each command sent again unchanged: the same answer, and nothing happens twice',
  reordered: 'the same command with its members in another order: still the same command',
  pipelined: 'the command written twice at once, before any answer: it takes effect once',
  reconnect: 'the command sent again on another connection: still known',
  conflict: 'another payload under the same commandId: refused, without effect',
  rejected: 'a refused command sent again: refused in the same way',
  restart: 'the server stopped in order and started again: everything is as before',
  'crash-after-ack': 'the server killed when it had answered: the command is not lost and not run again',
  'crash-before-ack': 'the server killed before it answered: never two effects',
  carrierless: 'an old stop or cancel sent again after a restart: newer work is left alone',
  malformed: 'a command without a usable commandId: refused',
};
