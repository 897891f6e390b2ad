import { type ExactJson, ExactNumber, type ExactObject } from '../wire/exact-json.js';
import type { ClientValues } from './client-values.js';

/**
 * What a live client frame must be equal to: the recorded one, where every member that a client is free in reads as
 * the live frame has it, if it may. Request ids are the caller's business.
 */
export function expectedFrame(recorded: ExactJson, live: ExactJson, values: ClientValues): ExactJson {
  if (!isObject(recorded) || !isObject(live)) return recorded;
  const method = recorded['method'];
  const expected = adopted(recorded, live, [], (path, before, now) => {
    if (isFree(method, path)) return sameType(before, now) ? now : before;
    if (typeof before !== 'string' || typeof now !== 'string') return before;
    if (isMinted(method, path)) return values.unify(before, now) ?? before;
    return now === values.liveOf(before) ? now : before;
  }) as ExactObject;
  for (const path of OPTIONAL[String(method)] ?? []) adoptPresence(expected, live, path);
  if (typeof method === 'string') adoptPresence(expected, live, ['trace']);
  return expected;
}

type Path = readonly (string | number)[];

/** A copy of `recorded` whose leaves `choose` may replace, seeing what stands at the same place of `live`. */
function adopted(
  recorded: ExactJson,
  live: ExactJson | undefined,
  path: Path,
  choose: (path: Path, recorded: ExactJson, live: ExactJson | undefined) => ExactJson,
): ExactJson {
  if (Array.isArray(recorded)) {
    const others = Array.isArray(live) ? live : [];
    return recorded.map((element, index) => adopted(element, others[index], [...path, index], choose));
  }
  if (!isObject(recorded)) return choose(path, recorded, live);
  const copy: ExactObject = Object.create(null);
  for (const [name, member] of Object.entries(recorded)) {
    const other = isObject(live) && Object.hasOwn(live, name) ? live[name] : undefined;
    copy[name] = adopted(member, other, [...path, name], choose);
  }
  return copy;
}

/** A client's name and version are its own. */
function isFree(method: unknown, path: Path): boolean {
  return (
    method === 'initialize' && path.length === 3 && path[1] === 'clientInfo' && FREE.has(String(path[2]))
  );
}

const FREE: ReadonlySet<string> = new Set(['name', 'version', 'title']);

/** Values that the client makes up: its commands' ids, the id of a session that it starts, an upload's id. */
function isMinted(method: unknown, path: Path): boolean {
  if (path.length !== 2 || path[0] !== 'params') return false;
  if (path[1] === 'commandId') return true;
  return (
    (path[1] === 'sessionId' && method === 'session/start') ||
    (path[1] === 'uploadId' && method === 'media/upload')
  );
}

/** Members that a client may have or not have, whatever the recorded one did. */
const OPTIONAL: Readonly<Record<string, readonly (readonly string[])[]>> = {
  initialize: [['params', 'clientInfo', 'title']],
};

function adoptPresence(expected: ExactObject, live: ExactObject, path: readonly string[]): void {
  const [name = '', ...rest] = path;
  const [mine, theirs] = [expected[name], Object.hasOwn(live, name) ? live[name] : undefined];
  if (rest.length > 0) {
    if (isObject(mine) && isObject(theirs)) adoptPresence(mine, theirs, rest);
  } else if (theirs === undefined) delete expected[name];
  else expected[name] = theirs;
}

function sameType(a: ExactJson, b: ExactJson | undefined): b is ExactJson {
  return typeof a === typeof b && (a === null) === (b === null);
}

function isObject(value: ExactJson | undefined): value is ExactObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}
