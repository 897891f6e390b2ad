import { query } from '../admission.js';
import type { Call } from '../call.js';
import { envelopeOf } from '../envelope.js';
import { invalidParams } from '../errors.js';
import { HISTORY_BUDGET_BYTES, historyOf, noHistory } from '../history.js';
import { type JsonObject, present } from '../json.js';
import { findSession } from '../loading.js';
import type { Method } from '../method.js';
import { canonicalFilter, matches, type SessionFilter } from '../session-filter.js';

export const CATALOGUE_METHODS: readonly Method[] = [
  query('session/list', listSessions),
  query('session/read', readSession, { isWithheldWhenEphemeral: true }),
];

const DEFAULT_LIMIT = 50;

interface ListParams {
  readonly cursor?: string | null;
  readonly limit?: number;
  readonly workspaceRoot?: string;
  readonly updatedAfter?: string;
  readonly filter?: SessionFilter;
}

async function listSessions(call: Call): Promise<JsonObject> {
  const params = call.params as ListParams;
  const { limit = DEFAULT_LIMIT, cursor } = params;
  if (limit < 1) throw invalidParams(`limit: expected at least 1, found ${limit}`);
  const filter = params.filter && canonicalFilter(params.filter);
  const listing = JSON.stringify([params.workspaceRoot, params.updatedAfter, filter]);
  const before = cursor == null ? undefined : readCursor(cursor, listing);
  const after = params.updatedAfter === undefined ? Number.NEGATIVE_INFINITY : instant(params.updatedAfter);
  const rest = (await rows(call))
    .filter((row) => before === undefined || orderKey(row) < before)
    .filter((row) => params.workspaceRoot === undefined || row['workspaceRoot'] === params.workspaceRoot)
    .filter((row) => Date.parse(row['updatedAt'] as string) > after)
    .filter((row) => filter === undefined || matches(row, filter))
    .sort(newestFirst);
  const page = fitting(rest.slice(0, limit), call.host.contentLimitBytes);
  const last = page.at(-1);
  return present({
    sessions: page,
    nextCursor: last && page.length < rest.length ? cursorAt(last, listing) : null,
    appliedFilter: filter,
  });
}

/** Every stored session, those that are loaded as they are now. An ephemeral host has sessions, and lists none of them. */
async function rows({ host }: Call): Promise<readonly JsonObject[]> {
  const { store } = host;
  if (!store) return [];
  const ids = await store.ids();
  const rows = await Promise.all(
    ids.map(async (id) => host.sessions.get(id)?.toObject() ?? (await store.row(id))?.session),
  );
  return rows.filter((row) => row !== undefined);
}

function instant(text: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw invalidParams('updatedAfter: expected an RFC 3339 instant');
  return time;
}

function newestFirst(one: JsonObject, other: JsonObject): number {
  return orderKey(one) < orderKey(other) ? 1 : -1;
}

function orderKey(row: JsonObject): string {
  return `${row['updatedAt']} ${row['sessionId']}`;
}

function cursorAt(row: JsonObject, listing: string): string {
  return `l:${Buffer.from(JSON.stringify([orderKey(row), listing])).toString('base64url')}`;
}

/** The order key that a cursor stands for. Throws `invalidParams` for one of another listing, or of none. */
function readCursor(cursor: string, listing: string): string {
  const [key, of] = partsOf(cursor);
  if (typeof key !== 'string' || of === undefined) throw invalidParams('cursor: no cursor of a session list');
  if (of !== listing) throw invalidParams('cursor: it belongs to another listing');
  return key;
}

function partsOf(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor.slice(2), 'base64url').toString());
    return cursor.startsWith('l:') && Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

function fitting(rows: readonly JsonObject[], limitBytes: number): readonly JsonObject[] {
  let room = limitBytes;
  const end = rows.findIndex((row) => {
    room -= Buffer.byteLength(JSON.stringify(row)) + 1;
    return room < 0;
  });
  return end === -1 ? rows : rows.slice(0, Math.max(1, end));
}

async function readSession(call: Call): Promise<JsonObject> {
  const { host, sessionId, params } = call;
  const fold = await findSession(host, sessionId);
  const history =
    params['excludeItems'] === false
      ? historyOf(fold, 'inline', Math.min(HISTORY_BUDGET_BYTES, host.contentLimitBytes))
      : noHistory('excluded');
  return envelopeOf(fold, await sessionRow(call, sessionId), history);
}

async function sessionRow({ host }: Call, sessionId: string): Promise<JsonObject> {
  const loaded = host.sessions.get(sessionId)?.toObject();
  return loaded ?? (await host.store?.row(sessionId))?.session ?? {};
}
