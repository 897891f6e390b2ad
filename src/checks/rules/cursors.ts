import { exactEqual } from '../../wire/compare.js';
import type { ExactJson } from '../../wire/exact-json.js';
import { ownCopy } from '../../wire/own-copy.js';
import { BoundedMap } from './bounded-map.js';
import type { Observation, Rule } from './observation.js';
import type { SessionViews, ViewEvent } from './session-view.js';
import type { Verdicts } from './verdicts.js';

const SESSIONS_REMEMBERED = 32;
/** Rising numbers seen before a private spelling is taken for a counter. */
const ENOUGH_TO_CALL_IT_A_COUNTER = 3;

/** A cursor names one event, and the live stream of a session does not go back. */
export class Cursors implements Rule {
  private readonly counters = new BoundedMap<string, Counter>(SESSIONS_REMEMBERED);

  constructor(
    private readonly verdicts: Verdicts,
    private readonly views: SessionViews,
  ) {}

  observe({ at, view }: Observation): void {
    if (view === undefined) return;
    const { verdicts } = this;
    const { method } = view;
    verdicts.exercise('view/cursor-unique');
    verdicts.exercise('view/cursor-order');
    if (view.arrival === 'fresh') {
      const problem = this.fallingNumber(view);
      if (problem !== undefined) verdicts.report(problem.id, { message: problem.message, at, method });
    } else if (view.arrival === 'clash') {
      verdicts.report('view/cursor-unique', {
        message: `Cursor ${view.cursor} was delivered with ${view.entry.identity} and now with ${view.method}.`,
        at,
        method,
      });
    } else {
      const { entry } = view;
      verdicts.exercise('view/event-stable');
      if (entry.params !== undefined && !exactEqual(entry.params as ExactJson, view.params as ExactJson))
        verdicts.report('view/event-stable', {
          message: `The event at cursor ${view.cursor} came again with other content.`,
          at,
          method,
        });
      const subscriptions = this.views.get(view.sessionId).subscriptions - entry.subscriptionsBefore;
      if (entry.deliveries > 1 + subscriptions)
        verdicts.report('view/cursor-order', {
          message: `Cursor ${view.cursor} came again without a new subscription.`,
          at,
          method,
        });
    }
  }

  connectionClosed(): void {
    this.counters.clear();
  }

  private fallingNumber(view: ViewEvent) {
    const counter = this.counters.getOr(view.sessionId, () => new Counter());
    if (!view.ordered || counter.stretch !== view.entry.stretch) counter.restart(view.entry.stretch);
    const fallenFrom = counter.advance(view.cursor);
    if (!view.ordered || fallenFrom === undefined) return undefined;
    const message = `Cursor ${view.cursor} comes after number ${fallenFrom} of the same session.`;
    // Only in the spelling of the published examples is the number known to be the position.
    if (counter.prefix === `v:${view.sessionId}:`) return { id: 'view/cursor-order', message } as const;
    if (counter.risen < ENOUGH_TO_CALL_IT_A_COUNTER) return undefined;
    return { id: 'view/cursor-number-falls', message } as const;
  }
}

/** The numbers at the end of one session’s cursors, as long as the rest of them is the same. */
class Counter {
  prefix: string | undefined;
  risen = 0;
  stretch = 0;
  private last: number | undefined;
  private isOpaque = false;

  restart(stretch: number): void {
    this.stretch = stretch;
    this.last = undefined;
  }

  /** The number before, when the cursor’s is no higher. */
  advance(cursor: string): number | undefined {
    if (this.isOpaque) return undefined;
    const start = startOfNumber(cursor);
    const prefix = cursor.slice(0, start);
    if (start === cursor.length || (this.prefix !== undefined && prefix !== this.prefix))
      this.isOpaque = true;
    if (this.isOpaque) return undefined;
    this.prefix ??= ownCopy(prefix);
    const number = Number(cursor.slice(start));
    const before = this.last;
    this.last = number;
    if (before === undefined) return undefined;
    if (number > before) {
      this.risen += 1;
      return undefined;
    }
    return before;
  }
}

/** Digits that a double holds exactly, whatever they are. */
const DIGITS = 15;

/** Where the digits at the end begin, at most 15 of them; the cursor's length when there are none. */
function startOfNumber(cursor: string): number {
  let start = cursor.length;
  while (start > 0 && cursor.length - start < DIGITS && isDigit(cursor.charCodeAt(start - 1))) start -= 1;
  return start;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}
