/** The JSON Pointer (RFC 6901) of a path of member names and array indices. The whole document is `''`. */
export function toPointer(segments: readonly (string | number)[]): string {
  return segments.map((segment) => `/${escapeSegment(segment)}`).join('');
}

/** One pointer segment, escaped. */
export function escapeSegment(segment: string | number): string {
  return typeof segment === 'number' ? String(segment) : segment.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The segments of a JSON Pointer, unescaped. Indices come back as strings. Throws `SyntaxError` if it is none. */
export function fromPointer(pointer: string): string[] {
  if (pointer === '') {
    return [];
  }
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) {
    throw new SyntaxError(`not a JSON Pointer: ${JSON.stringify(pointer)}; expected "" or "/name/0/..."`);
  }
  return pointer
    .slice(1)
    .split('/')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value at a path, by own members only; undefined where there is none. */
export function valueAt(value: unknown, segments: readonly (string | number)[]): unknown {
  let current = value;
  for (const segment of segments) {
    if (typeof current !== 'object' || current === null || !hasItem(current, segment)) {
      return undefined;
    }
    current = (current as Record<string | number, unknown>)[segment];
  }
  return current;
}

const INDEX = /^(?:0|[1-9]\d*)$/;

function hasItem(container: object, segment: string | number): boolean {
  // An array's own `length` is no element.
  const isReachable = !Array.isArray(container) || INDEX.test(String(segment));
  return isReachable && Object.hasOwn(container, segment);
}
