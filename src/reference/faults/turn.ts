import type { Fault } from '../faults.js';
import { derivedId } from '../ids.js';
import { again, insteadOf, notices, notifications, results } from './rewriting.js';
import { A_FAILED_TURN, A_RECLAIMED_TURN, A_TURN, replaying } from './showing.js';

const TALKING = replaying(A_TURN);

/** Acks of turns, and how turns begin and end. */
export const TURN_FAULTS: readonly Fault[] = [
  {
    name: 'ack-says-noop',
    breaks: 'The status of an ack is accepted.',
    caughtBy: ['turn/ack-status'],
    shownBy: TALKING,
    seams: () => results('turn/start', (ack) => ({ ...ack, status: 'noop' })),
  },
  {
    name: 'ack-contradicts-itself',
    breaks: 'The flag startedNewTurn says what the disposition says.',
    caughtBy: ['turn/ack-disposition'],
    shownBy: TALKING,
    seams: () => results('turn/start', (ack) => ({ ...ack, startedNewTurn: !ack['startedNewTurn'] })),
  },
  {
    name: 'turn-starts-twice',
    breaks: 'A turn starts once.',
    caughtBy: ['turn/started-once'],
    shownBy: TALKING,
    seams: () => insteadOf(notices('turn/started'), (frame) => [frame, again(frame)]),
  },
  {
    name: 'turn-ends-twice',
    breaks: 'A turn ends once.',
    caughtBy: ['turn/terminal-once'],
    shownBy: TALKING,
    seams: () => insteadOf(notices('turn/completed'), (frame) => [frame, again(frame)]),
  },
  {
    name: 'turn-never-ends',
    breaks: 'A turn that started ends.',
    caughtBy: ['replay/event-matches'],
    shownBy: TALKING,
    seams: () => insteadOf(notices('turn/completed'), () => []),
  },
  {
    name: 'reclaimed-turn-runs',
    breaks: 'A turn that was reclaimed never runs.',
    caughtBy: ['turn/unqueued-never-runs'],
    shownBy: replaying(A_RECLAIMED_TURN),
    seams: () => {
      const ran = new Set<string>();
      return {
        nextTurn: (turn, { state }) => {
          const reclaimed = [...state.turns.values()].find(
            ({ turnId, end }) => end === 'unqueued' && !ran.has(turnId),
          );
          if (!reclaimed) return turn;
          ran.add(reclaimed.turnId);
          return { ...reclaimed, submission: { text: 'reclaimed' } };
        },
      };
    },
  },
  {
    name: 'completed-turn-has-an-error',
    breaks: 'A turn that did not fail has no error.',
    caughtBy: ['turn/terminal-error'],
    shownBy: TALKING,
    seams: () =>
      notifications('turn/completed', (params) => ({
        ...params,
        error: { kind: 'modelError', message: 'none', retryable: false },
      })),
  },
  {
    name: 'failed-turn-says-nothing',
    breaks: 'A turn that failed says why.',
    caughtBy: ['turn/failure-explained'],
    warnsOnly: true,
    shownBy: replaying(A_FAILED_TURN),
    seams: () => notifications('turn/completed', ({ error: _, reason: __, ...params }) => params),
  },
  {
    name: 'turn-started-by-nobody',
    breaks: 'The event turn/started names the command that asked for the turn.',
    caughtBy: ['turn/started-names-command'],
    shownBy: TALKING,
    seams: () =>
      notifications('turn/started', (params) => ({
        ...params,
        commandId: derivedId(String(params['commandId']), 'other'),
      })),
  },
  {
    name: 'unqueued-names-the-unqueue',
    breaks: 'The event turn/unqueued names the command that queued the turn.',
    caughtBy: ['turn/unqueued-names-command'],
    shownBy: replaying(A_RECLAIMED_TURN),
    seams: () =>
      notifications('turn/unqueued', (params) => ({
        ...params,
        commandId: derivedId(String(params['commandId']), 'unqueue'),
      })),
  },
];
