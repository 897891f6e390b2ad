import type { Handshake } from './handshake.js';
import type { ViewEntry } from './live-events.js';
import { type JsonMembers, type ObservedFrame, textMember } from './observation.js';
import type { Page } from './pages.js';
import type { SessionViews } from './session-view.js';
import type { Verdicts } from './verdicts.js';

/** An event that only a page has. A gap may still explain it, so it is told when the connection ends. */
interface Suspicion {
  readonly sessionId: string;
  /** Of the live event after which it stands on the page. */
  readonly afterIndex: number;
  readonly message: string;
  readonly at: ObservedFrame;
}

const SUSPICIONS_KEPT = 100;

/** Holds each page against what the same connection was sent live. */
export class PageAgainstStream {
  private suspicions: Suspicion[] = [];
  /** How many live events of the session there were when the page was asked for. */
  private deliveredWhenAsked = new WeakMap<ObservedFrame, number>();

  constructor(
    private readonly verdicts: Verdicts,
    private readonly views: SessionViews,
    private readonly handshake: Handshake,
  ) {}

  noteAsked(at: ObservedFrame, sessionId: string | undefined): void {
    if (sessionId !== undefined) this.deliveredWhenAsked.set(at, this.views.get(sessionId).events.nextIndex);
  }

  noteGap(gap: JsonMembers | undefined): void {
    const sessionId = textMember(gap, 'sessionId');
    const after = textMember(gap, 'after');
    if (sessionId === undefined) return;
    const from = this.views.get(sessionId).events.at(after ?? '')?.index ?? 0;
    this.suspicions = this.suspicions.filter(
      (suspicion) => suspicion.sessionId !== sessionId || suspicion.afterIndex < from,
    );
  }

  observe(page: Page, asked: ObservedFrame, at: ObservedFrame): void {
    const { events } = this.views.get(page.sessionId);
    const known = page.events.flatMap(({ cursor }, position) => {
      const entry = events.at(cursor);
      return entry === undefined ? [] : [{ entry, position }];
    });
    if (known.length === 0) return;
    this.verdicts.exercise('view/page-agrees-with-stream');
    const onPage = new Set(page.events.map(({ cursor }) => cursor));
    for (let next = 1; next < known.length; next += 1) {
      const [left, right] = [known[next - 1], known[next]];
      if (left === undefined || right === undefined || left.entry.stretch !== right.entry.stretch) continue;
      if (right.entry.index <= left.entry.index) {
        this.tell(
          `${right.entry.cursor} stands after ${left.entry.cursor} on the page and came before it live.`,
          at,
        );
        continue;
      }
      const between = entriesBetween(events.entries, left.entry.index, right.entry.index);
      this.observeLost(
        between.filter(({ cursor }) => !onPage.has(cursor)),
        at,
      );
      const hasHole = right.entry.holeBefore || between.some(({ holeBefore }) => holeBefore);
      if (!hasHole) this.observeInvented(page, left, right.position, at);
    }
    this.observeEnd(page, known.at(-1)?.entry, onPage, asked, at);
  }

  /** The connection ended: what no gap has explained is told. */
  conclude(): void {
    for (const { message, at } of this.suspicions) this.tell(message, at);
    this.suspicions = [];
  }

  private observeLost(missing: readonly ViewEntry[], at: ObservedFrame): void {
    const lost = missing.filter(({ durable }) => durable);
    if (lost.length === 0) return;
    const told = lost.map(({ identity, cursor }) => `${identity} at ${cursor}`).slice(0, 5);
    this.tell(`Events that were delivered live are missing on the page: ${told.join('; ')}.`, at);
  }

  private observeInvented(
    page: Page,
    left: { readonly entry: ViewEntry; readonly position: number },
    end: number,
    at: ObservedFrame,
  ): void {
    const optedOut = this.handshake.agreement?.optedOut;
    for (const { method, cursor } of page.events.slice(left.position + 1, end)) {
      if (optedOut?.has(method) || this.suspicions.length >= SUSPICIONS_KEPT) continue;
      this.suspicions.push({
        sessionId: page.sessionId,
        afterIndex: left.entry.index,
        message: `${method} at ${cursor} is on the page and was not delivered live, and no gap was announced.`,
        at,
      });
    }
  }

  /** A forward page that ends the view holds everything that was delivered before it was asked for. */
  private observeEnd(
    page: Page,
    last: ViewEntry | undefined,
    onPage: ReadonlySet<string>,
    asked: ObservedFrame,
    at: ObservedFrame,
  ): void {
    const delivered = this.deliveredWhenAsked.get(asked);
    if (last === undefined || delivered === undefined) return;
    if (page.nextCursor !== null || page.isBackward || page.isAnchored) return;
    const { entries } = this.views.get(page.sessionId).events;
    const after = entriesBetween(entries, last.index, delivered);
    this.observeLost(
      after.filter(({ cursor, stretch }) => stretch === last.stretch && !onPage.has(cursor)),
      at,
    );
  }

  private tell(message: string, at: ObservedFrame): void {
    this.verdicts.report('view/page-agrees-with-stream', { message, at, method: 'view/page' });
  }
}

/** Entries with an index strictly between two. Entries are sorted by index, without holes in the numbering. */
function entriesBetween(entries: readonly ViewEntry[], left: number, right: number): readonly ViewEntry[] {
  const first = entries[0]?.index ?? 0;
  return entries.slice(Math.max(0, left + 1 - first), Math.max(0, right - first));
}
