import { UsageError } from './errors.js';

/**
 * Splits a command at white space, without a shell: nothing is expanded. '...' is taken as it is; within "..." a
 * backslash escapes " and \; elsewhere it escapes any character. Throws `UsageError` for an open quote or no word.
 */
export function splitWords(text: string, option: string): readonly string[] {
  const words = (text.match(WORD) ?? []).map(unquoted);
  const rest = text.replace(WORD, '');
  if (rest.trim() !== '') {
    throw new UsageError(
      `${option}: a quote or a backslash at the end is not closed in ${JSON.stringify(text)}.`,
    );
  }
  if (words[0] === undefined || words[0] === '') {
    throw new UsageError(`${option} expects a program and its arguments, found ${JSON.stringify(text)}.`);
  }
  return words;
}

const WORD = /(?:[^\s'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/g;

const PART = /\\([\s\S])|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"/g;

function unquoted(word: string): string {
  return word.replace(
    PART,
    (_, escaped?: string, single?: string, double?: string) =>
      escaped ?? single ?? (double ?? '').replace(/\\(["\\])/g, '$1'),
  );
}
