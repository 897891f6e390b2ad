/**
 * Strings of a server or a file made safe for the place they are shown in. A character that cannot be shown is
 * written as its escape (`\x1b`, `\u202e`), never dropped: what a server sent is evidence.
 */

/**
 * One line for a terminal or a log: line ends, C0 and C1 controls, bidirectional controls, invisible characters
 * and lone surrogates become escapes. `##[` loses its second `#`, because build runners obey it anywhere in a line.
 */
export function forTerminal(text: string): string {
  return text.replace(UNSAFE, visible).replace(LOG_COMMAND, (_, name: string) => `#\\x23${name}[`);
}

/** The lines of a text, each safe for a terminal. */
export function linesForTerminal(text: string): string[] {
  return text.split(/\r\n|\n/).map(forTerminal);
}

/** Element content of XML 1.0, line feeds kept. A line never begins with `::`, which a build runner would obey. */
export function forXmlText(text: string): string {
  return text
    .split('\n')
    .map((line) => entities(forTerminal(line)).replace(/^(\s*):/, '$1&#58;'))
    .join('\n');
}

/** Text or a quoted attribute value of HTML or XML 1.0, on one line. */
export function forMarkup(text: string): string {
  return entities(forTerminal(text));
}

/**
 * Running text of GitHub or GitLab markdown on one line: no mark-up, no HTML, no link, and nobody is mentioned
 * (a zero-width space after `@`, `#` and `://` keeps the renderer from linking them).
 */
export function forMarkdown(text: string): string {
  return forTerminal(text)
    .replace(/[&<>]/g, (char) => ENTITIES[char] ?? char)
    .replace(/[\\`*_[\]|~$]/g, (char) => `\\${char}`)
    .replace(/^\s*(?:[-+=:#]|\d+[.)])/, (marker) => `&#8203;${marker}`)
    .replace(/[@#](?!8203;)/g, (char) => `${char}&#8203;`)
    .replace(/:\/\//g, ':&#8203;//')
    .replace(/www\./gi, (www) => `${www.slice(0, 3)}&#8203;.`);
}

/** A code span of markdown that the text cannot leave; also safe in a table's cell. */
export function markdownCode(text: string): string {
  const shown = forTerminal(text).replaceAll('|', '\\|');
  const longest = Math.max(0, ...(shown.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  const pad = shown === '' || shown.startsWith('`') || shown.endsWith('`') || /^ .* $/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** The message of a GitHub workflow command. */
export function forWorkflowMessage(text: string): string {
  return text
    .split(/\r\n|\n/)
    .map(forTerminal)
    .join('\n')
    .replaceAll('%', '%25')
    .replaceAll('\n', '%0A');
}

/** A property (`title=`) of a GitHub workflow command. */
export function forWorkflowProperty(text: string): string {
  return forTerminal(text).replaceAll('%', '%25').replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** JSON text whose strings hold no character that a terminal or a build runner acts on. It parses to the same value. */
export function forJson(json: string): string {
  return json.replace(JSON_UNSAFE, unicodeEscape).replace(/##(?=[a-z]*\[)/gi, '#\\u0023');
}

const INVISIBLE =
  '\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff';
const UNSAFE = new RegExp(
  `[\\u0000-\\u001f\\u007f-\\u009f${INVISIBLE}\\u{e0000}-\\u{e0fff}]|\\p{Surrogate}`,
  'gu',
);
const JSON_UNSAFE = new RegExp(`[\\u007f-\\u009f${INVISIBLE}\\u{e0000}-\\u{e0fff}]`, 'gu');
const LOG_COMMAND = /##([a-z]*)\[/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function visible(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  return SHORT[char] ?? (code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : unicodeEscape(char));
}

function unicodeEscape(char: string): string {
  return Array.from(
    { length: char.length },
    (_, i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');
}

function entities(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ENTITIES[char] ?? char);
}
