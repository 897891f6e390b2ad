/** A whole number from 0 to below `limit`, the same ones for the same seed. */
export type Random = (limit: number) => number;

/** mulberry32: small, and good enough to damage bytes with. */
export function randomFrom(seed: number): Random {
  let state = seed | 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

/** One of the sound inputs, damaged in one to four places. */
export function mutated(sound: readonly Buffer[], random: Random): Buffer {
  let bytes = pick(sound, random);
  for (let count = 1 + random(4); count > 0; count -= 1) bytes = pick(DAMAGES, random)(bytes, random);
  return bytes;
}

type Damage = (bytes: Buffer, random: Random) => Buffer;

const DAMAGES: readonly Damage[] = [flipBit, flipBit, replaceByte, cutOff, takeOut, repeat, insert, insert];

function flipBit(bytes: Buffer, random: Random): Buffer {
  const at = random(bytes.length + 1);
  return replaced(bytes, at, (bytes[at] ?? 0) ^ (1 << random(8)));
}

function replaceByte(bytes: Buffer, random: Random): Buffer {
  return replaced(bytes, random(bytes.length + 1), random(256));
}

function replaced(bytes: Buffer, at: number, byte: number): Buffer {
  return Buffer.concat([bytes.subarray(0, at), Buffer.of(byte), bytes.subarray(at + 1)]);
}

function cutOff(bytes: Buffer, random: Random): Buffer {
  return bytes.subarray(0, random(bytes.length + 1));
}

function takeOut(bytes: Buffer, random: Random): Buffer {
  const [from, to] = span(bytes, random);
  return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]);
}

function repeat(bytes: Buffer, random: Random): Buffer {
  const [from, to] = span(bytes, random);
  return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)]);
}

function insert(bytes: Buffer, random: Random): Buffer {
  const at = random(bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, at), pick(TROUBLE, random), bytes.subarray(at)]);
}

function span(bytes: Buffer, random: Random): [number, number] {
  const from = random(bytes.length + 1);
  return [from, Math.min(bytes.length, from + random(32))];
}

function pick<T>(from: readonly T[], random: Random): T {
  return from[random(from.length)] as T;
}

const TROUBLE: readonly Buffer[] = [
  ...[
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '\n',
    '\r',
    '\0',
    '\ufeff',
    'null',
    '-',
    '0',
    '.',
    'e',
    '*',
    '&',
    '#',
    '- ',
  ],
  ...[
    '"__proto__":',
    '"constructor":',
    '"id":',
    '"method":',
    '"params":',
    '1e999',
    '-0',
    '9007199254740993',
    '"\\ud800"',
  ],
  ...[
    '"dir":"control"',
    '"raw":',
    '[[[[[[[[',
    '{"":'.repeat(8),
    '0'.repeat(400),
    '\u2028',
    '\ud83d\ude00',
    'é',
  ],
]
  .map((text) => Buffer.from(text))
  .concat([
    Buffer.of(0xff),
    Buffer.of(0xc0, 0xaf),
    Buffer.of(0xed, 0xa0, 0x80),
    Buffer.of(0xf4, 0x90, 0x80, 0x80),
  ]);
