import { JsonSyntaxError, type JsonVisitor, walkJson } from './json-walk.js';
import { locateValue } from './locate.js';
import { PathTracker } from './path-tracker.js';

/**
 * Replaces string values (not names) in a JSON text and leaves every other byte as it is: white space, member
 * order, number spelling, repeated members, a trailing CR. `replace` gets the path, which it must not keep beyond
 * the call, and the decoded string; undefined keeps the value as written. Text that is no JSON comes back unchanged.
 */
export function rewriteStrings(
  raw: string,
  replace: (path: readonly (string | number)[], value: string) => string | undefined,
): string {
  const rewriter = new StringRewriter(raw, replace);
  try {
    walkJson(raw, rewriter);
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      return raw;
    }
    throw error;
  }
  return rewriter.finish();
}

/**
 * Replaces the value at `path` with a JSON text (of a repeated member, the last, which is the one parsers read).
 * Text without that path, or that is no JSON, comes back unchanged.
 */
export function replaceValue(raw: string, path: readonly (string | number)[], jsonText: string): string {
  const found = locateValue(raw, path);
  return found === undefined ? raw : splice(raw, found.start, found.end, jsonText);
}

/** Removes the member or element at `path` with its comma, every occurrence of it. Otherwise as `replaceValue`. */
export function removeMember(raw: string, path: readonly (string | number)[]): string {
  let text = raw;
  let found = path.length === 0 ? undefined : locateValue(text, path);
  while (found !== undefined) {
    const [start, end] = withComma(text, found.memberStart, found.end);
    text = splice(text, start, end, '');
    const isMember = found.memberStart < found.start;
    found = isMember ? locateValue(text, path) : undefined;
  }
  return text;
}

/**
 * Appends a member to the object at `objectPath`, even if it has one of that name. Text without an object there,
 * or that is no JSON, comes back unchanged.
 */
export function addMember(
  raw: string,
  objectPath: readonly (string | number)[],
  name: string,
  jsonText: string,
): string {
  const found = locateValue(raw, objectPath);
  if (found === undefined || raw.charAt(found.start) !== '{') {
    return raw;
  }
  const close = found.end - 1;
  const isEmpty = raw.slice(found.start + 1, close).trim() === '';
  return splice(raw, close, close, `${isEmpty ? '' : ','}${JSON.stringify(name)}:${jsonText}`);
}

class StringRewriter extends PathTracker implements JsonVisitor {
  private readonly parts: string[] = [];
  private copiedTo = 0;

  constructor(
    private readonly raw: string,
    private readonly replace: (path: readonly (string | number)[], value: string) => string | undefined,
  ) {
    super();
  }

  override string(value: string, start: number, end: number): void {
    super.string(value, start, end);
    const replacement = this.replace(this.path, value);
    if (replacement !== undefined) {
      this.parts.push(this.raw.slice(this.copiedTo, start), JSON.stringify(replacement));
      this.copiedTo = end;
    }
  }

  finish(): string {
    return this.parts.length === 0 ? this.raw : this.parts.join('') + this.raw.slice(this.copiedTo);
  }
}

function splice(raw: string, start: number, end: number, text: string): string {
  return raw.slice(0, start) + text + raw.slice(end);
}

/** Widens a member's range by the comma that follows it, or else by the one before it. */
function withComma(raw: string, start: number, end: number): readonly [number, number] {
  const after = skipWhiteSpace(raw, end, 1);
  if (raw.charAt(after) === ',') {
    return [start, skipWhiteSpace(raw, after + 1, 1)];
  }
  const before = skipWhiteSpace(raw, start - 1, -1);
  return raw.charAt(before) === ',' ? [before, end] : [start, end];
}

function skipWhiteSpace(raw: string, from: number, step: 1 | -1): number {
  let at = from;
  while (/^[ \t\r\n]$/.test(raw.charAt(at))) {
    at += step;
  }
  return at;
}
