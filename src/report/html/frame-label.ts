/**
 * A frame in a few words: method or outcome, request id, and the command it belongs to. `asked` is the method that a
 * response answers, where it is known.
 */
export function frameLabel(raw: string, asked?: string): string {
  const frame = readFrame(raw);
  if (frame === undefined) return raw.length <= LONGEST ? raw : `${raw.slice(0, LONGEST)}…`;
  const { id, method, params, result, error } = frame;
  const parts = [
    typeof method === 'string' ? method : error === undefined ? 'result' : errorLabel(error),
    typeof method === 'string' || asked === undefined ? '' : `of ${asked}`,
    id === undefined ? '' : `#${JSON.stringify(id)}`,
    commandLabel(params) ?? commandLabel(result) ?? '',
  ];
  return parts
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, LONGEST);
}

const LONGEST = 90;

function errorLabel(error: unknown): string {
  const { code, data } = asObject(error) ?? {};
  const { kind, reason } = asObject(data) ?? {};
  return ['error', code, kind, reason]
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .join(' ');
}

/** The end of a UUIDv7 is what tells two of them apart. */
function commandLabel(value: unknown): string | undefined {
  const id = asObject(value)?.['commandId'];
  return typeof id === 'string' ? `command …${id.slice(-6)}` : undefined;
}

/** A frame as an object; undefined when it is none. */
export function readFrame(raw: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return asObject(JSON.parse(raw));
  } catch {
    return undefined;
  }
}

function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
