import type { ExactJson } from './exact-json.js';
import { ExactNumber } from './exact-number.js';
import type { Message, RequestId } from './frame.js';
import { valueAt } from './pointer.js';

/**
 * The shape of a parsed frame: one of JSON-RPC's four, by own members only, or `invalid` with the first thing that
 * is wrong. Unknown members are allowed. `exactValue` reads the frame without loss; it is asked only where an id
 * is too large for a double to be trusted.
 */
export function classify(value: unknown, exactValue: () => ExactJson | undefined): Message {
  if (!isObject(value)) {
    return { kind: 'invalid', problem: `expected a JSON object, found ${nameOf(value)}` };
  }
  const id = own(value, 'id');
  const problem = envelopeProblem(value, id, exactValue);
  if (problem !== undefined) {
    return Object.hasOwn(value, 'id') ? { kind: 'invalid', problem, id } : { kind: 'invalid', problem };
  }
  if (Object.hasOwn(value, 'method')) {
    const method = own(value, 'method') as string;
    if (!Object.hasOwn(value, 'params'))
      return Object.hasOwn(value, 'id')
        ? { kind: 'request', id: id as RequestId, method }
        : { kind: 'notification', method };
    const params = own(value, 'params');
    return Object.hasOwn(value, 'id')
      ? { kind: 'request', id: id as RequestId, method, params }
      : { kind: 'notification', method, params };
  }
  return Object.hasOwn(value, 'error')
    ? { kind: 'error', id: id as RequestId | null, error: own(value, 'error') }
    : { kind: 'success', id: id as RequestId, result: own(value, 'result') };
}

type JsonObject = Readonly<Record<string, unknown>>;

/** Which of the two a frame has, by the bits 1 and 2. */
const ANSWERS: readonly (readonly string[])[] = [[], ['result'], ['error'], ['result', 'error']];

function envelopeProblem(
  frame: JsonObject,
  id: unknown,
  exactValue: () => ExactJson | undefined,
): string | undefined {
  const version = own(frame, 'jsonrpc');
  if (version !== '2.0') {
    return Object.hasOwn(frame, 'jsonrpc')
      ? `"jsonrpc" must be the string "2.0", found ${brief(version)}`
      : '"jsonrpc": "2.0" is missing';
  }
  const answers =
    ANSWERS[(Object.hasOwn(frame, 'result') ? 1 : 0) + (Object.hasOwn(frame, 'error') ? 2 : 0)] ?? [];
  if (Object.hasOwn(frame, 'method')) {
    return callProblem(frame, id, answers) ?? idProblem(frame, id, exactValue);
  }
  return answerProblem(frame, id, answers) ?? idProblem(frame, id, exactValue);
}

function callProblem(frame: JsonObject, id: unknown, answers: readonly string[]): string | undefined {
  const method = own(frame, 'method');
  if (typeof method !== 'string') {
    return `"method" must be a string, found ${brief(method)}`;
  }
  if (answers.length > 0) {
    return `a frame with "method" must not have "${answers[0]}"`;
  }
  if (Object.hasOwn(frame, 'params') && !isObject(own(frame, 'params'))) {
    return `"params" must be an object, found ${nameOf(own(frame, 'params'))}`;
  }
  return id === null ? 'the id of a request must not be null' : undefined;
}

function answerProblem(frame: JsonObject, id: unknown, answers: readonly string[]): string | undefined {
  if (answers.length === 2) {
    return 'a response must have either "result" or "error", found both';
  }
  if (answers.length === 0) {
    return 'a frame must have "method", "result" or "error", found none of them';
  }
  if (!Object.hasOwn(frame, 'id')) {
    return `a frame with "${answers[0]}" must have an "id"`;
  }
  return id === null && answers[0] === 'result' ? 'the id of a success response must not be null' : undefined;
}

function idProblem(
  frame: JsonObject,
  id: unknown,
  exactValue: () => ExactJson | undefined,
): string | undefined {
  if (!Object.hasOwn(frame, 'id') || id === null || typeof id === 'string' || Number.isSafeInteger(id)) {
    return undefined;
  }
  if (typeof id !== 'number') {
    return `"id" must be a string or an integer, found ${brief(id)}`;
  }
  const exact = valueAt(exactValue(), ['id']);
  if (exact instanceof ExactNumber) {
    return `"id" ${shorten(exact.text)} is not an integer that a double holds exactly, so no answer can be matched to it`;
  }
  return Number.isInteger(id) ? undefined : `"id" must be a string or an integer, found ${id}`;
}

function own(frame: JsonObject, name: string): unknown {
  return Object.hasOwn(frame, name) ? frame[name] : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf(value: unknown): string {
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return 'an array';
  }
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const BRIEF_CHARACTERS = 40;

function brief(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    return nameOf(value);
  }
  return shorten(String(JSON.stringify(value)));
}

function shorten(text: string): string {
  return text.length <= BRIEF_CHARACTERS ? text : `${text.slice(0, BRIEF_CHARACTERS)}...`;
}
