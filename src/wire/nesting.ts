/**
 * The deepest nesting that is read. Parsers need far more memory for an open bracket than the byte that it takes, so a
 * line of brackets within the frame limit would cost gigabytes. No frame of the protocol comes near it.
 */
export const NESTING_LIMIT = 500_000;

/** True when more than `limit` arrays and objects are open at once somewhere in a JSON text; never throws. */
export function isNestedBeyond(text: string, limit: number = NESTING_LIMIT): boolean {
  if (text.length <= limit) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit === OPEN_ARRAY || unit === OPEN_OBJECT) depth += 1;
    else if (unit === CLOSE_ARRAY || unit === CLOSE_OBJECT) depth -= 1;
    if (depth > limit) return true;
  }
  return false;
}

/** The index of the quote that ends the string that begins at `start`; the text's length when none does. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return text.length;
}

const QUOTE = 0x22;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
