import { printable } from './describe.js';

/** Where an input is wrong. Line and column are 1-based; the column counts UTF-16 code units. */
export interface InputPlace {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
}

/**
 * Input that cannot be used; the command line ends with exit code 2. The message reads
 * `file:line:column: what is wrong; what was expected`, the optional hint says what to do.
 */
export class InputError extends Error {
  override readonly name = 'InputError';
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly hint?: string;

  constructor(place: InputPlace, problem: string, hint?: string) {
    super(`${describePlace(place)}: ${problem}`);
    this.file = place.file;
    if (place.line !== undefined) {
      this.line = place.line;
    }
    if (place.column !== undefined) {
      this.column = place.column;
    }
    if (hint !== undefined) {
      this.hint = hint;
    }
  }
}

/** The place of a code unit in a text that begins on line 1 of `file`. */
export function placeInText(file: string, text: string, offset: number): InputPlace {
  const before = text.slice(0, offset);
  return { file, line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

/** The error for a failed file system call on `file`: what failed and the system's own words for why. */
export function unreadable(file: string, error: unknown): InputError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  const reason = (code === undefined ? undefined : REASONS[code]) ?? String(code ?? error);
  return new InputError({ file }, `cannot be read: ${reason}`);
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
  ELOOP: 'its symbolic links go round in a circle',
  EMFILE: 'too many open files',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'permission denied',
};

function describePlace({ file, line, column }: InputPlace): string {
  const position = [line, column].filter((part) => part !== undefined).map((part) => `:${part}`);
  return printable(file) + position.join('');
}
