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
  const { id } = value;
  const problem = envelopeProblem(value, id, exactValue);
  if (problem !== undefined) {
    return id === undefined ? { kind: 'invalid', problem } : { kind: 'invalid', problem, id };
  }
  const { method, params, error } = value;
  if (method !== undefined) {
    if (params === undefined)
      return id === undefined
        ? { kind: 'notification', method: method as string }
        : { kind: 'request', id: id as RequestId, method: method as string };
    return id === undefined
      ? { kind: 'notification', method: method as string, params }
      : { kind: 'request', id: id as RequestId, method: method as string, params };
  }
  return error === undefined
    ? { kind: 'success', id: id as RequestId, result: value.result }
    : { kind: 'error', id: id as RequestId | null, error };
}

/**
 * The members that an envelope may have. A parsed value holds no undefined and inherits none of these names, so one
 * that reads as undefined is absent.
 */
interface JsonObject {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Which of the two a frame has, by the bits 1 and 2. */
const ANSWERS: readonly (readonly string[])[] = [[], ['result'], ['error'], ['result', 'error']];

function envelopeProblem(
  frame: JsonObject,
  id: unknown,
  exactValue: () => ExactJson | undefined,
): string | undefined {
  const { jsonrpc, method, result, error } = frame;
  if (jsonrpc !== '2.0') {
    return jsonrpc === undefined
      ? '"jsonrpc": "2.0" is missing'
      : `"jsonrpc" must be the string "2.0", found ${brief(jsonrpc)}`;
  }
  const answers = ANSWERS[(result === undefined ? 0 : 1) + (error === undefined ? 0 : 2)] ?? [];
  if (method !== undefined) {
    return callProblem(frame, answers) ?? idProblem(id, exactValue);
  }
  return answerProblem(id, answers) ?? idProblem(id, exactValue);
}

function callProblem(frame: JsonObject, answers: readonly string[]): string | undefined {
  const { method, params } = frame;
  if (typeof method !== 'string') {
    return `"method" must be a string, found ${brief(method)}`;
  }
  if (answers.length > 0) {
    return `a frame with "method" must not have "${answers[0]}"`;
  }
  if (params !== undefined && !isObject(params)) {
    return `"params" must be an object, found ${nameOf(params)}`;
  }
  return frame.id === null ? 'the id of a request must not be null' : undefined;
}

function answerProblem(id: unknown, answers: readonly string[]): string | undefined {
  if (answers.length === 2) {
    return 'a response must have either "result" or "error", found both';
  }
  if (answers.length === 0) {
    return 'a frame must have "method", "result" or "error", found none of them';
  }
  if (id === undefined) {
    return `a frame with "${answers[0]}" must have an "id"`;
  }
  return id === null && answers[0] === 'result' ? 'the id of a success response must not be null' : undefined;
}

function idProblem(id: unknown, exactValue: () => ExactJson | undefined): string | undefined {
  if (id === undefined || id === null || typeof id === 'string' || Number.isSafeInteger(id)) {
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
