import { forTerminal } from './escape.js';

/**
 * A text of one line, safe for a terminal, broken at spaces so that no line is longer than `width` characters
 * unless one word is. No line begins with `::`, which a build runner would obey.
 */
export function paragraph(text: string, width: number): string[] {
  return wrap(forTerminal(text), width).map((line) => line.replace(/^(\s*):(?=:)/, '$1\\x3a'));
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of text.split(' ')) {
    if (current !== '' && current.length + 1 + word.length > width) {
      lines.push(current);
      current = word;
    } else {
      current = current === '' ? word : `${current} ${word}`;
    }
  }
  return [...lines, current];
}
