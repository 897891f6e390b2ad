/**
 * True for a pattern that repeats without bound what already repeats without bound, as in `(a+)+`: on some texts its
 * matching time doubles with every character, and nothing can interrupt it. Expects a pattern that compiles.
 */
export function mayExplode(pattern: string): boolean {
  /** For each open group, whether something in it repeats without bound. */
  const groups: boolean[] = [false];
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    const atom = ATOM.exec(rest)?.[0] ?? '';
    at += atom.length;
    if (atom.startsWith('(')) {
      groups.push(false);
      continue;
    }
    const inner = atom === ')' ? (groups.pop() ?? false) : false;
    const quantifier = QUANTIFIER.exec(pattern.slice(at))?.[0] ?? '';
    at += quantifier.length;
    const isUnbounded = UNBOUNDED.test(quantifier);
    if (isUnbounded && inner) return true;
    if (isUnbounded || inner) groups[groups.length - 1] = true;
  }
  return false;
}

/** An escape, a class, the opening of a group, or one character. */
const ATOM = /^(?:\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|[\s\S])/;
const QUANTIFIER = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/;
const UNBOUNDED = /^(?:[*+]|\{\d+,\})/;
