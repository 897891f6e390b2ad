const LONGEST = 60;
const MOST_NAMES = 4;
const MOST_CHOICES = 12;

/** A value as a message shows it, at about sixty characters: `"abc"`, `12`, `an array of 3`, `nothing` for an absent one. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return quoteShortened(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return describeObject(Object.keys(value));
  return String(value);
}

/** A list of allowed values: `one of "a", "b"`, just `"a"` when there is one, and not all of very many. */
export function describeChoices(values: readonly unknown[]): string {
  const quoted = values.slice(0, MOST_CHOICES).map(describeValue).join(', ');
  if (values.length <= 1) return quoted;
  return values.length > MOST_CHOICES ? `one of ${values.length} values (${quoted}, …)` : `one of ${quoted}`;
}

function quoteShortened(text: string): string {
  if (text.length <= LONGEST) return JSON.stringify(text);
  // A pair of surrogates is not cut in half.
  const shortened = text.slice(0, LONGEST).replace(/[\uD800-\uDBFF]$/, '');
  return `${JSON.stringify(shortened)}… (${text.length} characters)`;
}

function describeObject(names: readonly string[]): string {
  if (names.length === 0) return 'an empty object';
  const shown = names.slice(0, MOST_NAMES).map(quoteShortened).join(', ');
  return `an object with ${shown}${names.length > MOST_NAMES ? `, … (${names.length} members)` : ''}`;
}
