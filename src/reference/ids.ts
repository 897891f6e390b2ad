import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from './clock.js';

/** Where the server's own ids come from. */
export interface IdSource {
  /** A new UUIDv7. */
  next(): string;
}

export function randomIds(clock: Clock): IdSource {
  return { next: () => uuidV7(clock.now(), randomBytes(10)) };
}

/** The same seed and the same readings of the clock give the same ids. */
export function seededIds(seed: number, clock: Clock): IdSource {
  const random = mulberry32(seed);
  const bytes = () => Uint8Array.from({ length: 10 }, () => Math.floor(random() * 256));
  return { next: () => uuidV7(clock.now(), bytes()) };
}

/** An id that follows from another one, the same whenever it is asked for. */
export function derivedId(from: string, purpose: string): string {
  const hash = createHash('sha256').update(`${from} ${purpose}`).digest('hex');
  return uuidOf(hash, '8');
}

/** RFC 9562, version 7. The `uuid` package would do, and would take a tenth of the time that this server needs to start. */
function uuidV7(unixMs: number, random: Uint8Array): string {
  return uuidOf(unixMs.toString(16).padStart(12, '0') + Buffer.from(random).toString('hex'), '7');
}

/** The first 32 hex digits, with the bits of a version and of the variant set. */
function uuidOf(hex: string, version: '7' | '8'): string {
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 0x3) | 0x8).toString(16);
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    version + hex.slice(13, 16),
    variant + hex.slice(17, 20),
  ];
  return [...groups, hex.slice(20, 32)].join('-');
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** A small public-domain generator; nothing here needs to be hard to guess. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
