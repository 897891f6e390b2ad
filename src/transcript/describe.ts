const BRIEF_CHARACTERS = 40;

/** A value as an error message names it: short, on one line, printable. */
export function describe(value: unknown): string {
  if (Array.isArray(value)) {
    return 'an array';
  }
  if (typeof value === 'object' && value !== null) {
    return 'an object';
  }
  const text = printable(String(JSON.stringify(value)));
  return text.length <= BRIEF_CHARACTERS ? text : `${text.slice(0, BRIEF_CHARACTERS)}...`;
}

/** `"a", "b" or "c"`. */
export function oneOf(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  return quoted.length < 2 ? quoted.join('') : `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}

/** Text without line feeds and terminal escapes: control characters become `\uXXXX`. */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
