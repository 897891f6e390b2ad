import { v5 as nameBasedUuid, v7 as timeBasedUuid } from 'uuid';
import type { Clock } from './clock.js';

/** Where the server's own ids come from. */
export interface IdSource {
  /** A new UUIDv7. */
  next(): string;
}

export function randomIds(): IdSource {
  return { next: () => timeBasedUuid() };
}

/** The same seed and the same readings of the clock give the same ids. */
export function seededIds(seed: number, clock: Clock): IdSource {
  const random = mulberry32(seed);
  let sequence = 0;
  return {
    next: () =>
      timeBasedUuid({
        msecs: clock.now(),
        seq: ++sequence,
        random: Uint8Array.from({ length: 16 }, () => Math.floor(random() * 256)),
      }),
  };
}

/** An id that follows from another one, the same whenever it is asked for. */
export function derivedId(from: string, purpose: string): string {
  return nameBasedUuid(`${from} ${purpose}`, DERIVATION_NAMESPACE);
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Version and variant bits of a UUIDv7, as commands and sessions are named. */
export function isUuidV7(text: string): boolean {
  return UUID_V7.test(text);
}

const DERIVATION_NAMESPACE = '6f1c2a52-5d0e-4e0b-9a55-6d5370726566';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

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
