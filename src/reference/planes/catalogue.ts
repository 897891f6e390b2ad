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
  const all = (await rows(call)).filter((row) => isWanted(row, params, filter)).sort(newestFirst);
  const rest = cursor == null ? all : all.slice(all.findIndex((row) => isAfter(row, cursor, listing)) >>> 0);
  const page = fitting(rest.slice(0, limit), call.host.contentLimitBytes);
  const last = page.at(-1);
  return present({
    sessions: page,
    nextCursor: last && page.length < rest.length ? cursorAt(last, listing) : null,
    appliedFilter: filter,
  });
}

/** The stored rows, with those of loaded sessions as they are now. An ephemeral host has sessions, and lists none of them. */
async function rows({ host }: Call): Promise<readonly JsonObject[]> {
  const stored = (await host.store?.rows()) ?? [];
  return stored.map(
    ({ session }) => host.sessions.get(session['sessionId'] as string)?.toObject() ?? session,
  );
}

function isWanted(row: JsonObject, params: ListParams, filter: SessionFilter | undefined): boolean {
  const { workspaceRoot, updatedAfter } = params;
  if (workspaceRoot !== undefined && row['workspaceRoot'] !== workspaceRoot) return false;
  if (updatedAfter !== undefined && !(Date.parse(row['updatedAt'] as string) > instant(updatedAfter)))
    return false;
  return filter === undefined || matches(row, filter);
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

/** Throws `invalidParams` for a cursor of another listing, or of none. */
function isAfter(row: JsonObject, cursor: string, listing: string): boolean {
  const [key, of] = readCursor(cursor);
  if (of !== listing) throw invalidParams('cursor: it belongs to another listing');
  return orderKey(row) < key;
}

function readCursor(cursor: string): readonly [string, string] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor.slice(2), 'base64url').toString());
    if (cursor.startsWith('l:') && Array.isArray(parts)) return [String(parts[0]), String(parts[1])];
  } catch {
    // Not one of ours: said below.
  }
  throw invalidParams('cursor: no cursor of a session list');
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
