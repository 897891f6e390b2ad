import type { Fault } from '../faults.js';
import { insteadOf, notices, results } from './rewriting.js';
import { A_TURN, AN_APPROVAL, replaying } from './showing.js';

/** Frames that are well formed and are not what an honest server says. */
export const REPLAY_FAULTS: readonly Fault[] = [
  {
    name: 'ack-says-queued-for-a-turn-that-starts',
    breaks: 'A submit to an idle session starts its turn, and its ack says so.',
    caughtBy: ['replay/response-matches'],
    shownBy: replaying(A_TURN),
    seams: () => results('turn/start', (ack) => ({ ...ack, startedNewTurn: false, disposition: 'queued' })),
  },
  {
    name: 'approval-never-asked-for',
    breaks: 'A pending approval is asked for with a request of the server.',
    caughtBy: ['replay/server-request-matches'],
    shownBy: replaying(AN_APPROVAL),
    seams: () => insteadOf(notices('approval/request'), () => []),
  },
];
