/**
 * Offset of the first byte that is not valid UTF-8: the start of the sequence that is overlong, cut short, a
 * surrogate or beyond U+10FFFF. -1 when all bytes are valid.
 */
export function firstInvalidUtf8(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length === 0) {
      return at;
    }
    at += length;
  }
  return -1;
}

/** 0 when no valid sequence starts at `at`. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) {
    return 1;
  }
  const rule = SEQUENCES.find(({ from, to }) => lead >= from && lead <= to);
  if (rule === undefined) {
    return 0;
  }
  for (let offset = 1; offset < rule.length; offset += 1) {
    const byte = bytes[at + offset];
    const low = offset === 1 ? rule.secondFrom : 0x80;
    const high = offset === 1 ? rule.secondTo : 0xbf;
    if (byte === undefined || byte < low || byte > high) {
      return 0;
    }
  }
  return rule.length;
}

/** RFC 3629, section 4: the second byte's range excludes overlong forms, surrogates and what no code point has. */
const SEQUENCES = [
  { from: 0xc2, to: 0xdf, length: 2, secondFrom: 0x80, secondTo: 0xbf },
  { from: 0xe0, to: 0xe0, length: 3, secondFrom: 0xa0, secondTo: 0xbf },
  { from: 0xe1, to: 0xec, length: 3, secondFrom: 0x80, secondTo: 0xbf },
  { from: 0xed, to: 0xed, length: 3, secondFrom: 0x80, secondTo: 0x9f },
  { from: 0xee, to: 0xef, length: 3, secondFrom: 0x80, secondTo: 0xbf },
  { from: 0xf0, to: 0xf0, length: 4, secondFrom: 0x90, secondTo: 0xbf },
  { from: 0xf1, to: 0xf3, length: 4, secondFrom: 0x80, secondTo: 0xbf },
  { from: 0xf4, to: 0xf4, length: 4, secondFrom: 0x80, secondTo: 0x8f },
];
