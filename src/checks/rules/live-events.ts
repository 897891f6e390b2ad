import { type JsonMembers, textMember } from './observation.js';

/** What is remembered of an event that was delivered live. */
export interface ViewEntry {
  readonly cursor: string;
  readonly method: string;
  /** Method, subject and revision: what makes it this event. */
  readonly identity: string;
  /** Read from pages as well as delivered. */
  readonly durable: boolean;
  /** Rising with arrival within a session. */
  readonly index: number;
  /** Events before this one may be missing. */
  holeBefore: boolean;
  /** Entries of different stretches have no known order. */
  readonly stretch: number;
  /** Kept for recent and small events, to compare with what a page gives. */
  params: JsonMembers | undefined;
  deliveries: number;
  readonly subscriptionsBefore: number;
}

/** Of each session; up to twice as many are held. */
const EVENTS_REMEMBERED = 1024;
const PARAMS_REMEMBERED = 256;

/** The recent events of one session, in the order of arrival, and by cursor. */
export class LiveEvents {
  readonly entries: ViewEntry[] = [];
  nextIndex = 0;
  private readonly byCursor = new Map<string, ViewEntry>();
  /** Entries from this index on are not in the map yet: while cursors rise by number, nobody asks for them. */
  private firstUnmapped = 0;
  private numbering: { readonly prefix: string; highest: number } | undefined;
  private isNumbered = true;

  /** The event at a cursor; undefined when none is remembered. */
  at(cursor: string): ViewEntry | undefined {
    if (this.isNumbered && this.numberOf(cursor) > (this.numbering?.highest ?? -1)) return undefined;
    const first = this.nextIndex - this.entries.length;
    for (let index = Math.max(first, this.firstUnmapped); index < this.nextIndex; index += 1) {
      const entry = this.entries[index - first];
      if (entry !== undefined) this.byCursor.set(entry.cursor, entry);
    }
    this.firstUnmapped = this.nextIndex;
    return this.byCursor.get(cursor);
  }

  /** Adds an event at a cursor that none of those remembered has. */
  add(entry: ViewEntry): void {
    this.noteNumber(entry.cursor);
    this.entries.push(entry);
    this.nextIndex += 1;
    const old = this.entries[this.entries.length - 1 - PARAMS_REMEMBERED];
    if (old !== undefined) old.params = undefined;
    // Trimmed by halves, so that the cost of moving entries is spread over many events.
    if (this.entries.length < 2 * EVENTS_REMEMBERED) return;
    for (const gone of this.entries.splice(0, EVENTS_REMEMBERED))
      if (gone.index < this.firstUnmapped) this.byCursor.delete(gone.cursor);
  }

  private noteNumber(cursor: string): void {
    if (!this.isNumbered) return;
    this.numbering ??= { prefix: cursor.replace(/\d+$/, ''), highest: -1 };
    const number = this.numberOf(cursor);
    this.isNumbered = number > this.numbering.highest;
    this.numbering.highest = number;
  }

  /** The number after the prefix that all cursors had so far; NaN where there is none. */
  private numberOf(cursor: string): number {
    const prefix = this.numbering?.prefix;
    if (prefix === undefined || cursor.length - prefix.length > SAFE_DIGITS) return Number.NaN;
    if (cursor.length === prefix.length || !cursor.startsWith(prefix)) return Number.NaN;
    let number = 0;
    for (let position = prefix.length; position < cursor.length; position += 1) {
      const digit = cursor.charCodeAt(position) - ZERO;
      if (!(digit >= 0 && digit <= 9)) return Number.NaN;
      number = number * 10 + digit;
    }
    return number;
  }
}

/** Digits that a double holds exactly, whatever they are. */
const SAFE_DIGITS = 15;
const ZERO = 0x30;

/** Method, subject and revision of a view event. */
export function identityOf(method: string, params: JsonMembers): string {
  const item = params['item'] as JsonMembers | null | undefined;
  const subject =
    textMember(item ?? undefined, 'itemId') ??
    textMember(params, 'approvalId') ??
    textMember(params, 'userInputId') ??
    textMember(params, 'itemId') ??
    textMember(params, 'turnId') ??
    '';
  const revision = item?.['revision'] ?? '';
  const identity = subject === '' ? method : `${method} ${subject}`;
  return revision === '' ? identity : `${identity} ${String(revision)}`;
}
