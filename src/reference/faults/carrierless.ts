import type { Fault } from '../faults.js';
import { A_STOPPED_TURN, deriving } from './showing.js';

/** Commands whose intake ends with the host. */
export const CARRIERLESS_FAULTS: readonly Fault[] = [
  {
    name: 'stop-hits-any-turn',
    breaks: 'A replayed stop that names a turn leaves every other turn alone.',
    caughtBy: ['idempotency/carrierless-no-new-effect'],
    shownBy: deriving(['restart', 'carrierless'], A_STOPPED_TURN),
    seams: () => ({ stopTarget: (turnId, { running }) => running ?? turnId }),
  },
];
