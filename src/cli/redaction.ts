import { homedir, userInfo } from 'node:os';
import { type Command, Option } from 'commander';
import { Redactor } from '../record/redactor.js';
import { UsageError } from './errors.js';
import { append } from './repeatable.js';

/** What `--redact` and `--no-redact` leave: places, nothing said, or false. */
export type RedactOption = readonly string[] | false | undefined;

export function addRedactOptions(command: Command): Command {
  const redact = new Option(
    '--redact [place]',
    'replace people’s names and homes too, and the strings at a JSON Pointer or of a member (repeatable)',
  );
  return command
    .addOption(redact.preset('').argParser(append))
    .option('--no-redact', 'write secrets down as they are');
}

/** Without any option secrets are taken out, with `--redact` what belongs to a person too. Throws `UsageError`. */
export function redactorFor(option: RedactOption): Redactor | undefined {
  if (option === false) return undefined;
  const person = option && { home: homedir(), name: userName() };
  try {
    return new Redactor({ places: (option ?? []).filter((place) => place !== ''), person });
  } catch (error) {
    throw new UsageError(`--redact: ${(error as Error).message}`);
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry has no name to hide.
    return '';
  }
}
