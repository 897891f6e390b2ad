/**
 * The name that a person most likely meant: the one fewest edits away, where the rest of a longer name counts as one
 * edit; undefined when none is close.
 */
export function nearest(typed: string, names: Iterable<string>): string | undefined {
  const allowed = Math.max(1, Math.floor(typed.length * 0.4));
  let best: { name: string; edits: number } | undefined;
  for (const name of names) {
    const edits = editsTo(typed.toLowerCase(), name.toLowerCase());
    if (edits <= allowed && (best === undefined || edits < best.edits)) best = { name, edits };
  }
  return best?.name;
}

/** As `nearest`, for names with a family in front (`family/rule`), which people leave out and then misspell the rest. */
export function nearestInFamilies(typed: string, names: readonly string[]): string | undefined {
  const byTail = new Map(names.map((name) => [name.slice(name.indexOf('/') + 1), name]));
  return byTail.get(typed) ?? nearest(typed, names) ?? byTail.get(nearest(typed, byTail.keys()) ?? '');
}

function editsTo(typed: string, name: string): number {
  const whole = editDistance(typed, name);
  const isBeginning = typed.length >= 3 && typed.length < name.length;
  return isBeginning ? Math.min(whole, 1 + editDistance(typed, name.slice(0, typed.length))) : whole;
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const swapped =
        a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? (beforeLast[j - 2] ?? Infinity) + 1 : Infinity;
      row.push(Math.min(replaced, swapped, (last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1));
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length] ?? 0;
}
