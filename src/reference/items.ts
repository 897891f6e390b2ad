import type { JsonObject } from './json.js';
import type { Session } from './session.js';
import { isComplete } from './state.js';

/** How much of a text an item shows; what is longer is cut and marked `truncated`. UTF-8 bytes. */
export const TEXT_BUDGET_BYTES = 64 * 1024;

interface NewItem extends JsonObject {
  readonly kind: string;
  /** Null for a shell command that belongs to no turn. */
  readonly turnId?: string | null;
}

/** Opens an item with a record of its own. Answers its id. */
export function openItem(session: Session, item: NewItem, itemId = session.host.ids.next()): string {
  session.emit('item/started', {
    item: { itemId, ...item, revision: 1, status: 'inProgress', recordedAt: session.now() },
  });
  return itemId;
}

/** Opens an item that streams: nothing of it is on record before it is complete. */
export function openStreamedItem(session: Session, item: NewItem): string {
  const itemId = session.host.ids.next();
  session.emitEphemeral('item/started', { item: { itemId, ...item, revision: 1, status: 'inProgress' } });
  return itemId;
}

/** An item that one record tells whole. */
export function addItem(session: Session, item: NewItem, itemId = session.host.ids.next()): string {
  session.emit('item/completed', {
    item: { itemId, ...item, revision: 1, status: 'completed', recordedAt: session.now() },
  });
  return itemId;
}

/** Sends an open item again with some members changed; `undefined` takes a member away. */
export function updateItem(session: Session, itemId: string, changes: JsonObject): void {
  emitRevision(session, 'item/updated', itemId, changes);
}

/** Ends an item, once. Nothing happens to one that has ended. */
export function completeItem(
  session: Session,
  itemId: string,
  status: string,
  changes: JsonObject = {},
): void {
  const item = session.state.items.get(itemId);
  if (!item || isComplete(item)) return;
  const truncated = session.saturated.delete(itemId) ? { truncated: true } : {};
  emitRevision(session, 'item/completed', itemId, { ...truncated, ...changes, status });
  session.view.forgetDeltas(itemId);
}

/** Streams text into an open item, up to the budget: `text` of a message, `output` of a tool. */
export function appendText(session: Session, itemId: string, field: 'text' | 'output', text: string): void {
  const item = session.state.items.get(itemId);
  if (!item || isComplete(item) || text === '') return;
  const shown = (item[field === 'text' ? 'text' : 'visibleOutput'] as string | undefined) ?? '';
  const rest = cutToBudget(text, TEXT_BUDGET_BYTES - Buffer.byteLength(shown));
  if (rest !== text) session.saturated.add(itemId);
  if (rest !== '') session.emitEphemeral('item/delta', { itemId, field, delta: rest });
}

/** The longest beginning that fits, cut between characters. */
export function cutToBudget(text: string, budgetBytes: number): string {
  if (Buffer.byteLength(text) <= budgetBytes) return text;
  let used = 0;
  let end = 0;
  for (const character of text) {
    used += Buffer.byteLength(character);
    if (used > budgetBytes) break;
    end += character.length;
  }
  return text.slice(0, end);
}

/** The text members of an item, cut to the budget and marked if they were. */
export function budgeted(text: string): { readonly text: string; readonly truncated?: true } {
  const cut = cutToBudget(text, TEXT_BUDGET_BYTES);
  return cut === text ? { text } : { text: cut, truncated: true };
}

function emitRevision(session: Session, method: string, itemId: string, changes: JsonObject): void {
  const item = session.state.items.get(itemId);
  if (!item) return;
  const next = { ...item, ...changes, revision: item.revision + 1, recordedAt: session.now() };
  const members = Object.entries(next).filter(([, value]) => value !== undefined);
  session.emit(method, { item: Object.fromEntries(members) });
}
