import { linesForTerminal } from './escape.js';

/**
 * A text, safe for a terminal, its lines broken at spaces so that none is longer than `width` characters unless one
 * word is. No line begins with `::`, which a build runner would obey.
 */
export function paragraph(text: string, width: number): string[] {
  return linesForTerminal(text)
    .flatMap((line) => wrap(line, width))
    .map((line) => line.replace(/^(\s*):(?=:)/, '$1\\x3a'));
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
