import { BoundedMap } from './bounded-map.js';
import {
  type JsonMembers,
  membersOf,
  type Observation,
  type ObservedFrame,
  type Rule,
  textMember,
} from './observation.js';
import type { ViewEvent } from './session-view.js';
import type { Verdicts } from './verdicts.js';

const ITEMS_REMEMBERED = 2048;
/** Characters of streamed text held over all open items; beyond that an item is not judged. */
const TEXT_BUDGET = 64 * 1024 * 1024;
const SUSPICIONS_KEPT = 100;

interface Streamed {
  readonly sessionId: string;
  /** Nothing of the item can have been missed. */
  isWhole: boolean;
  isCompleted: boolean;
  readonly fields: Map<string, StreamedField>;
}

interface StreamedField {
  text: string;
  /** The field in the last full version of the item, and how much had been streamed by then. */
  base: string;
  streamedBefore: number;
}

interface Suspicion {
  readonly sessionId: string;
  readonly message: string;
  readonly at: ObservedFrame;
  readonly isOpen: boolean;
}

/** The deltas of an item add up to its final text, and stop when it is complete. */
export class Deltas implements Rule {
  private readonly items = new BoundedMap<string, Streamed>(ITEMS_REMEMBERED, (_id, item) =>
    this.release(item),
  );
  private held = 0;
  private suspicions: Suspicion[] = [];

  constructor(private readonly verdicts: Verdicts) {}

  observe({ at, message, view }: Observation): void {
    if (message.kind === 'notification' && message.method === 'view/gap')
      this.noteGap(textMember(membersOf(message.params), 'sessionId'));
    if (view === undefined || view.arrival !== 'fresh') return;
    if (view.entry.holeBefore) this.noteHole(view.sessionId);
    const item = membersOf(view.params['item']);
    const itemId = textMember(item, 'itemId') ?? textMember(view.params, 'itemId');
    if (itemId === undefined) return;
    if (view.method === 'item/started') this.observeStarted(itemId, item, view);
    if (view.method === 'item/updated') this.observeUpdated(itemId, item);
    if (view.method === 'item/delta') this.observeDelta(itemId, view, at);
    if (view.method === 'item/completed') this.observeCompleted(itemId, item ?? {}, view, at);
  }

  connectionClosed(): void {
    for (const { message, at, isOpen } of this.suspicions)
      this.verdicts.report('view/deltas-add-up', { message, at }, isOpen ? 'warning' : 'violation');
    this.suspicions = [];
    this.items.clear();
    this.held = 0;
  }

  /** A gap may be written after the events around it, so it also excuses what was found just before. */
  private noteGap(sessionId: string | undefined): void {
    this.noteHole(sessionId);
    this.suspicions = this.suspicions.filter((suspicion) => suspicion.sessionId !== sessionId);
  }

  private noteHole(sessionId: string | undefined): void {
    for (const item of this.items.values()) {
      if (item.sessionId !== sessionId) continue;
      item.isWhole = false;
      this.release(item);
    }
  }

  private observeStarted(itemId: string, item: JsonMembers | undefined, view: ViewEvent): void {
    const known = this.items.get(itemId);
    if (known !== undefined) {
      this.rebase(known, item);
      known.isCompleted = false;
      return;
    }
    const streamed: Streamed = {
      sessionId: view.sessionId,
      isWhole: view.ordered,
      isCompleted: false,
      fields: new Map(),
    };
    this.items.set(itemId, streamed);
    const text = fieldOf(item ?? {}, 'text');
    if (text !== undefined && text !== '')
      streamed.fields.set('text', { text: '', base: text, streamedBefore: 0 });
  }

  private observeUpdated(itemId: string, item: JsonMembers | undefined): void {
    const known = this.items.get(itemId);
    if (known === undefined) return;
    this.rebase(known, item);
    if (item?.['status'] === 'inProgress') known.isCompleted = false;
  }

  private rebase(known: Streamed, item: JsonMembers | undefined): void {
    for (const [name, field] of known.fields) {
      const text = fieldOf(item ?? {}, name);
      if (text === undefined) continue;
      field.base = text;
      field.streamedBefore = field.text.length;
    }
  }

  private observeDelta(itemId: string, view: ViewEvent, at: ObservedFrame): void {
    // Without its start the item was joined late, and what came before is unknown.
    const known = this.items.getOr(itemId, () => ({
      sessionId: view.sessionId,
      isWhole: false,
      isCompleted: false,
      fields: new Map(),
    }));
    this.verdicts.exercise('view/delta-on-open-item');
    if (known.isCompleted && view.ordered) {
      const message = `A delta for item ${itemId} came after its completion.`;
      this.verdicts.report('view/delta-on-open-item', { message, at });
    }
    const delta = textMember(view.params, 'delta');
    if (!known.isWhole || known.isCompleted || delta === undefined) return;
    if (!view.ordered) {
      known.isWhole = false;
      this.release(known);
      return;
    }
    const name = textMember(view.params, 'field') ?? 'text';
    let field = known.fields.get(name);
    if (field === undefined) {
      field = { text: '', base: '', streamedBefore: 0 };
      known.fields.set(name, field);
    }
    field.text += delta;
    this.held += delta.length;
    if (this.held <= TEXT_BUDGET) return;
    known.isWhole = false;
    this.release(known);
  }

  private observeCompleted(itemId: string, item: JsonMembers, view: ViewEvent, at: ObservedFrame): void {
    const known = this.items.getOr(itemId, () => ({
      sessionId: view.sessionId,
      isWhole: false,
      isCompleted: false,
      fields: new Map(),
    }));
    known.isCompleted = true;
    if (known.isWhole && view.ordered) this.compare(itemId, known, item, at);
    this.release(known);
  }

  private compare(itemId: string, known: Streamed, item: JsonMembers, at: ObservedFrame): void {
    for (const [name, { text, base, streamedBefore }] of known.fields) {
      if (text === '') continue;
      this.verdicts.exercise('view/deltas-add-up');
      if (item['truncated'] === true || this.suspicions.length >= SUSPICIONS_KEPT) continue;
      const final = fieldOf(item, name);
      if (final === undefined && !isExpected(name, item)) continue;
      if (final === text || final === base + text.slice(streamedBefore)) continue;
      this.suspicions.push({
        sessionId: known.sessionId,
        message: `The deltas of ${name} of item ${itemId} do not add up to its final text: ${whereTheyPart(text, final)}.`,
        at,
        // Whether an item that was cut off keeps all that was streamed is left open.
        isOpen: item['status'] !== 'completed',
      });
    }
  }

  private release(item: Streamed): void {
    if (item.fields.size === 0) return;
    for (const { text } of item.fields.values()) this.held -= text.length;
    item.fields.clear();
  }
}

/** The text of a delta's field in a full item: `summary.0` is an index, `output` is shown as `visibleOutput`. */
function fieldOf(item: JsonMembers, name: string): string | undefined {
  if (name === 'text') return textMember(item, name);
  const path = name === 'output' && !Object.hasOwn(item, 'output') ? ['visibleOutput'] : name.split('.');
  let value: unknown = item;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as JsonMembers)[part];
  }
  return typeof value === 'string' ? value : undefined;
}

/** Whether the final item ought to have the field: unknown fields, and output that is stored elsewhere, need not be there. */
function isExpected(name: string, item: JsonMembers): boolean {
  return (
    name === 'text' || name.startsWith('summary.') || (name === 'output' && item['outputRef'] === undefined)
  );
}

function whereTheyPart(streamed: string, final: string | undefined): string {
  if (final === undefined) return 'the final item does not have the field';
  let position = 0;
  while (position < streamed.length && streamed[position] === final[position]) position += 1;
  const show = (text: string) => JSON.stringify(text.slice(position, position + 40));
  return `from character ${position} on ${show(streamed)} was streamed and ${show(final)} is final (${streamed.length} and ${final.length} characters)`;
}
