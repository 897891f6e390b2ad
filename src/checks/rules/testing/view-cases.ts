import type { Cases } from './case.js';
import {
  answer,
  ask,
  COMMAND,
  cursor,
  delta,
  end,
  event,
  hello,
  item,
  itemCompleted,
  itemStarted,
  notify,
  page,
  pageOf,
  resume,
  resumed,
  SESSION,
  turnCompleted,
  turnStarted,
} from './crafted-frames.js';

const FORK = '0198f0aa-2222-7000-8000-0000000000bb';
const other = (n: number | string) => itemCompleted(n, { itemId: 'item-2' });
const renamedEvent = (n: number | string, name: string) => event(n, 'session/nameChanged', { name });
const gap = (after: number, next: number) =>
  notify('view/gap', { sessionId: SESSION, after: cursor(after), next: cursor(next) });
const subscribe = (id: number) => [
  ask(id, 'view/subscribe', { sessionId: SESSION, after: cursor(0) }),
  answer(id, { viewCursor: cursor(9) }),
];
const streamed = [...hello(), turnStarted(1), itemStarted(2), delta(3, 'hel'), delta(4, 'lo')];

export const VIEW_CASES: Cases = {
  'view/cursor-unique': {
    fails: [...hello(), itemCompleted(1), other(1)],
    passes: [...hello(), itemCompleted(1), other(2)],
  },
  'view/cursor-order': {
    fails: [...hello(), itemCompleted(1), other(2), itemCompleted(1)],
    // A new subscription may replay what was delivered.
    passes: [...hello(), itemCompleted(1), other(2), ...subscribe(2), itemCompleted(1), other(2)],
  },
  'view/cursor-number-falls': {
    fails: [...hello(), ...['p1', 'p2', 'p3', 'p9', 'p4'].map((at) => renamedEvent(at, at))],
    passes: [],
    gives: 'warned',
  },
  'view/event-stable': {
    fails: [...hello(), itemCompleted(1), page(2), pageOf(2, [itemCompleted(1, { text: 'other' })])],
    passes: [...hello(), itemCompleted(1), page(2), pageOf(2, [itemCompleted(1)])],
    gives: 'warned',
  },
  'view/page-ascending': {
    fails: [
      ...hello(),
      page(2),
      pageOf(2, [itemCompleted(1), other(2)], cursor(2)),
      page(3, { cursor: cursor(2) }),
      pageOf(3, [itemCompleted(1)]),
    ],
    passes: [
      ...hello(),
      page(2),
      pageOf(2, [itemCompleted(1), other(2)], cursor(2)),
      page(3, { cursor: cursor(2) }),
      pageOf(3, [turnCompleted(3)]),
    ],
  },
  'view/page-anchor-exclusive': {
    fails: [...hello(), page(2, { cursor: cursor(1) }), pageOf(2, [itemCompleted(1), other(2)])],
    passes: [...hello(), page(2, { cursor: cursor(1) }), pageOf(2, [other(2)])],
  },
  'view/page-within-limit': {
    fails: [...hello(), page(2, { limit: 1 }), pageOf(2, [itemCompleted(1), other(2)])],
    passes: [...hello(), page(2, { limit: 2 }), pageOf(2, [itemCompleted(1), other(2)])],
  },
  'view/page-next-cursor': {
    fails: [...hello(), page(2), pageOf(2, [itemCompleted(1), other(2)], cursor(1))],
    passes: [
      ...hello(),
      page(2, { direction: 'backward', cursor: cursor(3) }),
      pageOf(2, [itemCompleted(1), other(2)], cursor(1)),
    ],
    gives: 'warned',
  },
  'view/page-durable-only': {
    fails: [...hello(), page(2), pageOf(2, [itemCompleted(1), delta(2, 'x')])],
    passes: [...hello(), page(2), pageOf(2, [itemCompleted(1)])],
  },
  'view/page-agrees-with-stream': {
    fails: [
      ...hello(),
      turnStarted(1),
      itemCompleted(2),
      turnCompleted(3),
      page(2),
      pageOf(2, [turnStarted(1), turnCompleted(3)]),
    ],
    // Deltas are not read from pages, and a gap explains what was not delivered.
    passes: [
      ...hello(),
      turnStarted(1),
      delta(2, 'x'),
      turnCompleted(4),
      page(2),
      pageOf(2, [turnStarted(1), itemCompleted(3), turnCompleted(4)]),
      gap(1, 4),
    ],
  },
  'view/item-revision-rises': {
    fails: [...hello(), itemStarted(1), itemCompleted(2, { revision: 1 })],
    passes: [...hello(), itemStarted(1), itemCompleted(2, { revision: 2 })],
  },
  'view/item-single-terminal': {
    fails: [...hello(), itemCompleted(1), itemCompleted(2, { revision: 2 })],
    // A fork may call its copies by the ids of its source.
    passes: [
      ...hello(),
      itemCompleted(1),
      page(2),
      pageOf(2, [itemCompleted(1)]),
      page(3, { sessionId: FORK }),
      pageOf(3, [event(5, 'item/completed', { sessionId: FORK, item: item({ status: 'completed' }) })]),
    ],
  },
  'view/item-completed': {
    fails: [...streamed, turnCompleted(5), end('drained')],
    passes: [...streamed, itemCompleted(5, { revision: 2 }), turnCompleted(6), end('drained')],
    gives: 'note',
  },
  'view/deltas-add-up': {
    fails: [...streamed, itemCompleted(5, { revision: 2, text: 'help' })],
    passes: [...streamed, itemCompleted(5, { revision: 2, text: 'hello' })],
  },
  'view/delta-on-open-item': {
    fails: [...streamed, itemCompleted(5, { revision: 2 }), delta(6, '!')],
    passes: [...streamed, itemCompleted(5, { revision: 2 })],
  },
  'view/history-mode': {
    fails: [...hello(), resume(2), resumed(2, { mode: 'none', items: [] })],
    passes: [...hello(), resume(2), resumed(2, { mode: 'inline', items: [], noneReason: undefined })],
  },
  'view/history-none-reason': {
    fails: [...hello(), resume(2), resumed(2, { noneReason: undefined })],
    passes: [...hello(), resume(2), resumed(2)],
    gives: 'warned',
  },
};

/** Streams that look wrong and are not: each must leave the check named alone. */
export const INNOCENT_VIEWS = {
  'deltas of an item that was joined late': [
    ...hello(),
    delta(1, ' tail'),
    itemCompleted(2, { revision: 2 }),
  ],
  'deltas that a gap took': [
    ...streamed.slice(0, -1),
    itemCompleted(5, { revision: 2, text: 'hello' }),
    gap(3, 5),
  ],
  'a truncated item': [...streamed, itemCompleted(5, { revision: 2, text: 'hell', truncated: true })],
  'an update that replaced the text': [
    ...streamed,
    event(5, 'item/updated', { item: { ...ITEM_OPEN(), text: 'HELLO', revision: 2 } }),
    delta(6, '!'),
    itemCompleted(7, { revision: 3, text: 'HELLO!' }),
  ],
  'output that is shown as visibleOutput': [
    ...hello(),
    itemStarted(1, { kind: 'toolCall' }),
    delta(2, 'out', { field: 'output' }),
    itemCompleted(3, { kind: 'toolCall', revision: 2, visibleOutput: 'out' }),
  ],
  'the broadcast of the cursor that caused it': [
    ...hello(),
    turnStarted(1),
    notify('session/statusChanged', { sessionId: SESSION, status: 'running', viewCursor: cursor(1) }),
  ],
  'a second subscription whose suffix is older than the stream': [
    ...hello(),
    turnCompleted(5),
    ...subscribe(2),
    turnStarted(2),
    itemCompleted(3),
    turnCompleted(5),
  ],
  'a retracted message that is told again': [
    ...hello(),
    itemCompleted(1, { kind: 'userMessage' }),
    event(2, 'item/updated', {
      item: { ...ITEM_OPEN(), kind: 'userMessage', status: 'completed', retracted: true, revision: 2 },
    }),
  ],
  'cursors without any order in their spelling': [
    ...hello(),
    ...['9f', 'a1', '03', 'zz', '77'].map((at) => renamedEvent(at, at)),
  ],
  'a page that is ahead of the stream': [
    ...hello(),
    turnStarted(1),
    page(2),
    pageOf(2, [turnStarted(1), itemCompleted(2), turnCompleted(3)]),
    itemCompleted(2),
    turnCompleted(3),
  ],
} as const;

function ITEM_OPEN() {
  return {
    itemId: 'item-1',
    kind: 'agentMessage',
    turnId: COMMAND,
    status: 'inProgress',
    recordedAt: '2026-08-07T18:02:11Z',
  };
}
