import type { Fault, Seams, Showing } from '../faults.js';
import type { JsonObject } from '../json.js';
import { again, insteadOf, notices, notifications, results } from './rewriting.js';
import { A_TURN, deriving, PAGES, RESUMES, replaying } from './showing.js';

const TALKING = replaying(A_TURN);
const PAGING = replaying(PAGES);
const RESUMED = replaying(RESUMES);
const FOLLOWED_TWICE: Showing = { ...deriving(['reconnect'], A_TURN), needsSocket: true };

/** Cursors, pages, items and histories. */
export const VIEW_FAULTS: readonly Fault[] = [
  {
    name: 'cursor-repeats',
    breaks: 'A cursor names one event.',
    caughtBy: ['view/cursor-unique'],
    shownBy: TALKING,
    seams: () => ({ position: (next, { isDurable }) => (isDurable && next > 3 ? next - 1 : next) }),
  },
  {
    name: 'live-stream-goes-back',
    breaks: 'The live stream keeps the order of its cursors.',
    caughtBy: ['view/cursor-order'],
    shownBy: TALKING,
    seams: () => swapping('turn/started', 'item/completed'),
  },
  {
    name: 'page-loses-an-event',
    breaks: 'A page has every durable event.',
    caughtBy: ['view/page-agrees-with-stream'],
    shownBy: PAGING,
    seams: () => pages((events) => events.filter(({ method }) => method !== 'item/completed')),
  },
  {
    name: 'page-invents-an-event',
    breaks: 'A page has no event that was never on the stream.',
    caughtBy: ['view/page-agrees-with-stream'],
    shownBy: PAGING,
    seams: () =>
      pages((events) =>
        events.flatMap((event) => (event['method'] === 'turn/started' ? [event, again(event)] : [event])),
      ),
  },
  {
    name: 'page-repeats-an-event',
    breaks: 'A page has each event once.',
    caughtBy: ['view/page-ascending'],
    shownBy: PAGING,
    seams: () => pages(([first, ...rest]) => (first ? [first, first, ...rest.slice(1)] : rest)),
  },
  {
    name: 'page-descends',
    breaks: 'A page has the order of the stream.',
    caughtBy: ['view/page-agrees-with-stream'],
    shownBy: PAGING,
    seams: () => pages((events) => [...events].reverse()),
  },
  {
    name: 'page-repeats-its-anchor',
    breaks: 'A page leaves out its anchor.',
    caughtBy: ['view/page-anchor-exclusive'],
    shownBy: PAGING,
    seams: () => {
      let last: JsonObject | undefined;
      return pages((events) => {
        const page = last ? [last, ...events] : events;
        last = events.at(-1);
        return page;
      });
    },
  },
  {
    name: 'page-over-its-limit',
    breaks: 'A page keeps to the limit.',
    caughtBy: ['view/page-within-limit'],
    shownBy: PAGING,
    seams: () => pages((events) => [...events, ...events.slice(-1), ...events.slice(-1)]),
  },
  {
    name: 'page-has-deltas',
    breaks: 'A page has durable events alone.',
    caughtBy: ['view/page-durable-only'],
    shownBy: PAGING,
    seams: () =>
      pages((events) =>
        events.flatMap((event) =>
          event['method'] === 'item/completed' ? [deltaBefore(event), event] : [event],
        ),
      ),
  },
  {
    name: 'page-cursor-off-the-edge',
    breaks: 'The cursor of the next page is the edge of this one.',
    caughtBy: ['view/page-next-cursor'],
    warnsOnly: true,
    shownBy: PAGING,
    seams: () =>
      results('view/page', (result) => {
        const [first] = result['events'] as readonly { readonly params: JsonObject }[];
        return result['nextCursor'] === null
          ? result
          : { ...result, nextCursor: first?.params['viewCursor'] };
      }),
  },
  {
    name: 'event-reads-otherwise-on-a-page',
    breaks: 'An event reads the same on a page as it did live.',
    caughtBy: ['view/event-stable'],
    warnsOnly: true,
    shownBy: TALKING,
    seams: () =>
      pages((events) =>
        events.map((event) =>
          event['method'] === 'turn/completed'
            ? { ...event, params: { ...(event['params'] as object), durationMs: 123_456_789 } }
            : event,
        ),
      ),
  },
  {
    name: 'item-completed-at-its-first-revision',
    breaks: 'Each version of an item has a higher revision.',
    caughtBy: ['view/item-revision-rises'],
    shownBy: TALKING,
    seams: () =>
      notifications('item/completed', (params) => ({
        ...params,
        item: { ...(params['item'] as object), revision: 1 },
      })),
  },
  {
    name: 'item-completed-twice',
    breaks: 'An item ends once.',
    caughtBy: ['view/item-single-terminal'],
    shownBy: TALKING,
    seams: () => insteadOf(notices('item/completed'), (frame) => [frame, again(frame)]),
  },
  {
    name: 'deltas-do-not-add-up',
    breaks: 'The deltas of an item add up to its text.',
    caughtBy: ['view/deltas-add-up'],
    shownBy: TALKING,
    seams: () =>
      notifications('item/delta', (params) => ({ ...params, delta: `${String(params['delta'])} ` })),
  },
  {
    name: 'delta-after-completion',
    breaks: 'A delta goes to an open item.',
    caughtBy: ['view/delta-on-open-item'],
    shownBy: TALKING,
    seams: () => {
      let last: JsonObject | undefined;
      return {
        frames: (frames) =>
          frames.flatMap((frame) => {
            if (frame['method'] === 'item/delta') last = frame;
            return frame['method'] === 'turn/completed' && last ? [again(last), frame] : [frame];
          }),
      };
    },
  },
  {
    name: 'history-of-two-modes',
    breaks: 'A history has the content of its mode alone.',
    caughtBy: ['view/history-mode'],
    shownBy: RESUMED,
    seams: () =>
      results('session/resume', (result) => {
        const history = result['history'] as JsonObject;
        return { ...result, history: { ...history, items: history['items'] ?? [] } };
      }),
  },
  {
    name: 'history-none-without-reason',
    breaks: 'A history that is none says why.',
    caughtBy: ['view/history-none-reason'],
    warnsOnly: true,
    shownBy: RESUMED,
    seams: () =>
      results('session/resume', (result) => {
        const { noneReason: _, ...history } = result['history'] as JsonObject;
        return { ...result, history };
      }),
  },
  {
    name: 'cursors-per-connection',
    breaks: 'An event has one cursor, whichever connection it goes to.',
    caughtBy: ['view/connections-agree'],
    shownBy: FOLLOWED_TWICE,
    seams: () =>
      onFurtherConnections((frame) => {
        const params = frame['params'] as JsonObject;
        return [{ ...frame, params: { ...params, viewCursor: `${String(params['viewCursor'])}-` } }];
      }),
  },
  {
    name: 'event-for-one-connection',
    breaks: 'Every connection that follows a session gets every durable event.',
    caughtBy: ['view/connections-agree'],
    shownBy: FOLLOWED_TWICE,
    seams: () => onFurtherConnections((frame) => (frame['method'] === 'item/completed' ? [] : [frame])),
  },
];

/** The view events that go to any connection but the first one. */
function onFurtherConnections(change: (frame: JsonObject) => readonly JsonObject[]): Pick<Seams, 'frames'> {
  let first: object | undefined;
  return {
    frames: (frames, { connection, params }) => {
      first ??= connection;
      const isEvent = params !== undefined && 'sourceRange' in params;
      return connection === first || !isEvent ? frames : frames.flatMap(change);
    },
  };
}

function pages(change: (events: readonly JsonObject[]) => readonly JsonObject[]): Pick<Seams, 'frames'> {
  return results('view/page', (result) => ({
    ...result,
    events: change(result['events'] as readonly JsonObject[]),
  }));
}

/** A delta under a cursor of its own, as if it had been stored. */
function deltaBefore(event: JsonObject): JsonObject {
  const { item, sourceRange: _, ...params } = event['params'] as JsonObject & { item: { itemId: string } };
  return {
    method: 'item/delta',
    params: { ...params, viewCursor: `${String(params['viewCursor'])}-`, itemId: item.itemId, delta: 'x' },
  };
}

/** Holds the next notification of one method back until one of another has gone out. */
function swapping(held: string, until: string): Pick<Seams, 'frames'> {
  let waiting: JsonObject | undefined;
  return {
    frames: (frames) =>
      frames.flatMap((frame) => {
        if (frame['method'] === held) {
          waiting = frame;
          return [];
        }
        const late = frame['method'] === until ? waiting : undefined;
        if (late) waiting = undefined;
        return late ? [frame, late] : [frame];
      }),
  };
}
