import { invalidParams } from './errors.js';
import { isUuid } from './ids.js';
import { type JsonObject, present } from './json.js';

/** The structured selection of `session/list`. */
export interface SessionFilter extends JsonObject {
  readonly branch?: { readonly anyOf: readonly (string | null)[] };
  readonly sessionId?: { readonly anyOf: readonly string[] };
  readonly text?: {
    readonly fields: readonly string[];
    readonly allOf?: readonly string[];
    readonly anyOf?: readonly string[];
  };
}

/** The filter as it is applied and echoed: sets without repetition and sorted, terms lower case and composed. */
export function canonicalFilter(filter: SessionFilter): SessionFilter {
  const { branch, sessionId, text } = filter;
  return present({
    branch: branch && { anyOf: canonicalSet('branch.anyOf', branch.anyOf, 32) },
    sessionId: sessionId && { anyOf: canonicalSet('sessionId.anyOf', sessionId.anyOf.map(canonicalId), 200) },
    text: text && canonicalText(text),
  }) as SessionFilter;
}

/** Whether a row has everything that a canonical filter asks for. */
export function matches(row: JsonObject, { branch, sessionId, text }: SessionFilter): boolean {
  if (branch && !branch.anyOf.includes((row['branch'] as string | undefined) ?? null)) return false;
  if (sessionId && !sessionId.anyOf.includes((row['sessionId'] as string).toLowerCase())) return false;
  return text === undefined || matchesText(row, text);
}

function matchesText(row: JsonObject, text: NonNullable<SessionFilter['text']>): boolean {
  const words = text.fields.flatMap((field) => wordsOf(row[field]));
  const isFound = (term: string) => words.some((word) => word.startsWith(term));
  return (text.allOf ?? []).every(isFound) && (text.anyOf === undefined || text.anyOf.some(isFound));
}

function wordsOf(value: unknown): readonly string[] {
  return typeof value === 'string' ? canonicalTerm(value).split(/[^\p{L}\p{N}]+/u) : [];
}

function canonicalText(text: NonNullable<SessionFilter['text']>): NonNullable<SessionFilter['text']> {
  const terms = [...(text.allOf ?? []), ...(text.anyOf ?? [])].map(canonicalTerm);
  if (terms.length < 1 || terms.length > 16) throw invalidParams('filter.text: expected 1 to 16 terms');
  if (terms.some((term) => term === '' || Buffer.byteLength(term) > 128)) {
    throw invalidParams('filter.text: expected terms of 1 to 128 bytes');
  }
  if (text.fields.length < 1 || new Set(text.fields).size !== text.fields.length) {
    throw invalidParams('filter.text.fields: expected 1 or 2 different fields');
  }
  return present({
    fields: [...text.fields].sort(),
    allOf: text.allOf && sorted(text.allOf.map(canonicalTerm)),
    anyOf: text.anyOf && sorted(text.anyOf.map(canonicalTerm)),
  }) as NonNullable<SessionFilter['text']>;
}

function canonicalTerm(term: string): string {
  return term.trim().toLowerCase().normalize('NFC');
}

function canonicalId(id: string): string {
  if (!isUuid(id)) throw invalidParams('filter.sessionId.anyOf: expected UUIDs');
  return id.toLowerCase();
}

function canonicalSet<T extends string | null>(
  name: string,
  values: readonly T[],
  most: number,
): readonly T[] {
  if (values.length < 1 || values.length > most)
    throw invalidParams(`filter.${name}: expected 1 to ${most} entries`);
  if (values.some((value) => value === '' || Buffer.byteLength(value ?? ' ') > 256)) {
    throw invalidParams(`filter.${name}: expected entries of 1 to 256 bytes`);
  }
  return sorted(values);
}

function sorted<T extends string | null>(values: readonly T[]): readonly T[] {
  return [...new Set(values)].sort((one, other) => ((one ?? '') < (other ?? '') ? -1 : 1));
}
