/** A number whose decimal value no double prints: it keeps its digits. */
export class ExactNumber {
  constructor(
    /** The number as written on the wire. */
    readonly text: string,
  ) {}
}

/** Digits of which every double can tell each value apart. */
const SAFE_DIGITS = 15;
const INTEGER = /^-?\d+$/;

/** The value of a JSON number: a plain number where that is the decimal value as written. `-0` reads as `0`. */
export function readNumber(text: string): number | ExactNumber {
  const value = Number(text);
  const isPlain =
    (text.length <= SAFE_DIGITS && INTEGER.test(text)) ||
    String(value) === text ||
    (Number.isFinite(value) && canonicalDecimal(text) === canonicalDecimal(String(value)));
  if (!isPlain) {
    return new ExactNumber(text);
  }
  return value === 0 ? 0 : value;
}

/**
 * One spelling for each decimal value: `digits` without leading or trailing zeros, `e`, exponent
 * (`-1.50` is `-15e-1`); every zero is `0`. `text` is a JSON number.
 */
export function canonicalDecimal(text: string): string {
  const [mantissa = '', exponent = '0'] = text.split(/[eE]/);
  const unsigned = mantissa.startsWith('-') ? mantissa.slice(1) : mantissa;
  const [whole = '', fraction = ''] = unsigned.split('.');
  const digits = withoutLeadingZeros(whole + fraction);
  if (digits === '') {
    return '0';
  }
  const significant = withoutTrailingZeros(digits);
  const scale = BigInt(exponent) + BigInt(digits.length - significant.length - fraction.length);
  return `${mantissa.startsWith('-') ? '-' : ''}${significant}e${scale}`;
}

function withoutLeadingZeros(digits: string): string {
  let start = 0;
  while (digits.charCodeAt(start) === 0x30) {
    start += 1;
  }
  return digits.slice(start);
}

function withoutTrailingZeros(digits: string): string {
  let end = digits.length;
  while (digits.charCodeAt(end - 1) === 0x30) {
    end -= 1;
  }
  return digits.slice(0, end);
}
