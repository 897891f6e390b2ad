import { Fault } from './errors.mjs';

/** @typedef {(value: unknown) => boolean} Check */
/** @typedef {{ check: Check, isOptional?: boolean, isNullable?: boolean }} Member */

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

export const text = (/** @type {unknown} */ value) => typeof value === 'string';
export const words = (/** @type {unknown} */ value) => typeof value === 'string' && value.trim() !== '';
export const flag = (/** @type {unknown} */ value) => typeof value === 'boolean';
export const uuid = (/** @type {unknown} */ value) => typeof value === 'string' && UUID.test(value);
export const uuid7 = (/** @type {unknown} */ value) => typeof value === 'string' && UUID7.test(value);
export const object = (/** @type {unknown} */ value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const list = (/** @type {Check} */ check) => (/** @type {unknown} */ value) =>
  Array.isArray(value) && value.every(check);
export const oneOf =
  (/** @type {string[]} */ ...values) =>
  (/** @type {unknown} */ value) =>
    values.includes(/** @type {string} */ (value));
export const between =
  (/** @type {number} */ low, /** @type {number} */ high) => (/** @type {unknown} */ value) =>
    Number.isInteger(value) && Number(value) >= low && Number(value) <= high;

/** @param {Check} check @returns {Member} */
export const need = (check) => ({ check });
/** @param {Check} check @returns {Member} */
export const may = (check) => ({ check, isOptional: true });
/** Omitted and null are one. @param {Check} check @returns {Member} */
export const mayBeNull = (check) => ({ check, isOptional: true, isNullable: true });

/** What every command carries. */
export const COMMAND = { sessionId: need(text), commandId: need(uuid7) };

/**
 * The members a method knows, checked; unknown ones are left behind, so that they are no part of a payload's identity.
 * @param {any} params @param {Record<string, Member>} shape @returns {Record<string, any>}
 * @throws {Fault} invalidParams
 */
export function take(params, shape) {
  if (!object(params)) throw new Fault('invalidParams', 'Where are the params?');
  /** @type {Record<string, any>} */
  const taken = {};
  for (const [name, { check, isOptional, isNullable }] of Object.entries(shape)) {
    const value = Object.hasOwn(params, name) ? params[name] : undefined;
    if (value === undefined || (value === null && isNullable)) {
      if (!isOptional) throw new Fault('invalidParams', `I need "${name}" for that.`);
    } else if (check(value)) taken[name] = value;
    else throw new Fault('invalidParams', `"${name}" is not something I can use.`);
  }
  return taken;
}

/**
 * Refuses what only an experimental connection may send; this host never grants one.
 * @param {any} params @param {string} method @param {string} name
 */
export function refuseExperimental(params, method, name) {
  if (!object(params) || !Object.hasOwn(params, name)) return;
  throw new Fault('experimentalRequired', `"${name}" is for the adventurous.`, {
    descriptor: `${method}.${name}`,
  });
}

/**
 * The parts of a submission, joined, with what is attached. @param {any[]} parts
 * @returns {{ text: string, attachments?: any[] }} @throws {Fault}
 */
export function readInput(parts) {
  if (parts.length === 0) throw new Fault('invalidParams', 'Say something.');
  const attachments = parts.filter(({ type }) => type === 'image').map(readImage);
  for (const { type, selector, uploadId, text: said } of parts) {
    if (type === 'skill')
      throw new Fault('skillNotFound', 'No such skill here.', { selector: String(selector) });
    if (type === 'video')
      throw new Fault('uploadNotFound', 'No such upload here.', { uploadId: String(uploadId) });
    if (type !== 'image' && (type !== 'text' || typeof said !== 'string')) {
      throw new Fault('invalidParams', 'That is no part of a message I know.');
    }
  }
  const joined = parts.flatMap(({ type, text: said }) => (type === 'text' ? [said] : [])).join('\n');
  return attachments.length === 0 ? { text: joined } : { text: joined, attachments };
}

/** @param {any} part */
function readImage({ base64Data, mediaType, width, height }) {
  const isData =
    words(base64Data) && Buffer.from(base64Data, 'base64').length > 0 && /^[\w+/]+=*$/.test(base64Data);
  if (!isData || !words(mediaType) || (width === undefined) !== (height === undefined)) {
    throw new Fault('invalidParams', 'That picture is broken.');
  }
  return { type: 'image', mediaType };
}
