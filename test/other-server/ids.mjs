import { createHash, randomBytes } from 'node:crypto';

const BITS = 48n;
const MASK = (1n << BITS) - 1n;
const FACTOR = 0x9e3779b97f4bn;
const UNFACTOR = inverse(FACTOR);

/** A fresh UUIDv7. @returns {string} */
export function uuid7() {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(Date.now(), 0, 6);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x70;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** A fresh item id, deliberately no UUID. @returns {string} */
export function itemId() {
  return `it_${randomBytes(4).toString('hex')}`;
}

/**
 * A prompt or approval id derived from a seed, so that a reopened approval gets the same new id on every load.
 * @param {string} prefix @param {string} seed @returns {string}
 */
export function opaqueId(prefix, seed) {
  return `${prefix}~${createHash('sha256').update(seed).digest('base64url').slice(0, 18)}==`;
}

/**
 * A view cursor: order is kept by the server alone, the spelling looks random and does not sort.
 * @param {string} sessionId @param {number} seq @returns {string}
 */
export function sealCursor(sessionId, seq) {
  const bytes = Buffer.alloc(9);
  bytes.writeUIntBE(Number((BigInt(seq) * FACTOR) & MASK), 0, 6);
  tagOf(sessionId).copy(bytes, 6);
  return bytes.toString('base64url');
}

/**
 * The sequence behind a cursor of this session, or undefined for anything this session never minted.
 * @param {string} sessionId @param {string} cursor @returns {number | undefined}
 */
export function openCursor(sessionId, cursor) {
  const bytes = Buffer.from(cursor, 'base64url');
  if (bytes.length !== 9 || bytes.toString('base64url') !== cursor) return undefined;
  if (!bytes.subarray(6).equals(tagOf(sessionId))) return undefined;
  return Number((BigInt(bytes.readUIntBE(0, 6)) * UNFACTOR) & MASK);
}

/** RFC 3339 with an explicit offset rather than Z. @param {number} [ms] @returns {string} */
export function timestamp(ms = Date.now()) {
  return new Date(ms).toISOString().replace('Z', '+00:00');
}

/** @param {string} sessionId @returns {Buffer} */
function tagOf(sessionId) {
  return createHash('sha256').update(sessionId).digest().subarray(0, 3);
}

/** @param {bigint} odd @returns {bigint} */
function inverse(odd) {
  let guess = odd;
  for (let round = 0; round < 6; round += 1) guess = (guess * (2n - odd * guess)) & MASK;
  return (guess + MASK + 1n) & MASK;
}
