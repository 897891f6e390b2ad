import { isUtf8 } from 'node:buffer';
import { isLosslessReading, JsonSyntaxError, parseExact } from '../wire/exact-json.js';
import { locateValue } from '../wire/locate.js';
import { firstInvalidUtf8 } from '../wire/utf8.js';
import { describe, oneOf } from './describe.js';
import { InputError, type InputPlace } from './errors.js';
import { CONTROL_OPS, type ControlStep, type Step } from './scenario.js';

/** Where a line of a transcript stands. */
interface LinePlace {
  readonly file: string;
  readonly line: number;
}

/** `byteOffset` is that of the line’s first byte in the file. */
interface BytesPlace extends LinePlace {
  readonly byteOffset: number;
}

/** One line of a transcript, given without its LF; undefined when it is blank. Throws `InputError`. */
export function parseLine(bytes: Buffer, place: BytesPlace): Step | undefined {
  return parseLineText(decode(bytes, place), place);
}

/** `parseLine` for a line that is decoded already. */
export function parseLineText(text: string, place: LinePlace): Step | undefined {
  if (isBlank(text)) {
    return undefined;
  }
  const object = parseObject(text, place);
  const dir = member(object, 'dir');
  if (dir === 'client' || dir === 'server') {
    const raw = member(object, 'raw');
    if (typeof raw !== 'string') {
      throw wrongMember(text, place, object, 'raw', 'a string that holds the frame');
    }
    return withExtra({ dir, raw, line: place.line }, FRAME_MEMBERS, text, object);
  }
  if (dir === 'control') {
    const op = CONTROL_OPS.find((known) => known === member(object, 'op'));
    if (op === undefined) {
      throw wrongMember(text, place, object, 'op', oneOf(CONTROL_OPS));
    }
    const step: ControlStep = { dir, op, line: place.line };
    return withExtra(step, CONTROL_MEMBERS, text, object);
  }
  throw wrongMember(text, place, object, 'dir', oneOf(['client', 'server', 'control']));
}

const FRAME_MEMBERS = ['dir', 'raw'];
const CONTROL_MEMBERS = ['dir', 'op'];

type JsonObject = Readonly<Record<string, unknown>>;

function decode(bytes: Buffer, place: BytesPlace): string {
  if (!isUtf8(bytes)) {
    const offset = firstInvalidUtf8(bytes);
    const byte = (bytes[offset] ?? 0).toString(16).padStart(2, '0');
    throw new InputError(
      placeAt(place, bytes.subarray(0, offset).toString('utf8').length),
      `byte ${place.byteOffset + offset} of the file (0x${byte}) is not valid UTF-8; expected UTF-8 text`,
    );
  }
  const text = bytes.toString('utf8');
  return place.line === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function isBlank(text: string): boolean {
  return text.length < 2 ? text.trim() === '' : !text.startsWith('{') && text.trim() === '';
}

function parseObject(text: string, place: LinePlace): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw notJson(text, place);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InputError(
      placeAt(place, text.search(/\S/)),
      `found ${describe(value)}; expected a {"dir": ..., "raw": ...} object`,
    );
  }
  return value as JsonObject;
}

function notJson(text: string, place: LinePlace): InputError {
  try {
    parseExact(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) {
      return new InputError(placeAt(place, error.offset), `not JSON: ${error.problem}`);
    }
  }
  return new InputError(placeAt(place, 0), 'not JSON; expected a {"dir": ..., "raw": ...} object');
}

function wrongMember(
  text: string,
  place: LinePlace,
  object: JsonObject,
  name: string,
  expectation: string,
): InputError {
  const offset = locateValue(text, [name])?.start ?? text.search(/\S/);
  const problem = Object.hasOwn(object, name)
    ? `"${name}" is ${describe(object[name])}`
    : `"${name}" is missing`;
  return new InputError(placeAt(place, offset), `${problem}; expected ${expectation}`);
}

/** Adds what the line holds besides `known`, read without loss so that it can be written again as it was. */
function withExtra<T extends Step>(step: T, known: readonly string[], text: string, object: JsonObject): T {
  if (Object.keys(object).length === known.length) {
    return step;
  }
  const exact = isLosslessReading(text, object) ? object : (parseExact(text).value as JsonObject);
  const others = Object.entries(exact).filter(([name]) => !known.includes(name));
  return { ...step, extra: Object.fromEntries(others) };
}

function member(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function placeAt({ file, line }: LinePlace, offset: number): InputPlace {
  return { file, line, column: offset + 1 };
}
