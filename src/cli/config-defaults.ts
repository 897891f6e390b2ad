import type { Command, Option } from 'commander';
import { nearest } from '../report/nearest.js';
import type { Config } from './config.js';
import { UsageError } from './errors.js';

/**
 * Gives a command the config file's defaults, read as if they stood on the command line, which still wins. Keys are
 * long option names without dashes; repeatable options take a list. Throws `UsageError` with the place in the file.
 */
export function applyConfigDefaults(command: Command, config: Config): void {
  const known = command.options.filter(({ long }) => long !== '--config' && long !== '--no-color');
  for (const [name, value] of Object.entries(config.defaults)) {
    const option = known.find(({ long }) => long === `--${name}`);
    if (option === undefined) {
      const close = nearest(
        name,
        known.map(({ long }) => (long ?? '').slice(2)),
      );
      const hint = close === undefined ? '' : ` Did you mean ${close}?`;
      throw new UsageError(`${config.placeOfDefault(name)}: there is no option --${name}.${hint}`);
    }
    const key = option.attributeName();
    if (command.getOptionValueSource(key) === 'cli') continue;
    command.setOptionValueWithSource(key, readValue(option, value, config.placeOfDefault(name)), 'config');
  }
}

function readValue(option: Option, value: unknown, place: string): unknown {
  if (option.isBoolean()) {
    if (typeof value === 'boolean') return value;
    throw new UsageError(
      `${place}: --${option.name()} is either true or false here, found ${JSON.stringify(value)}.`,
    );
  }
  const words = (Array.isArray(value) ? (value as unknown[]) : [value]).map((word) =>
    asWord(option, word, place),
  );
  if (option.argChoices !== undefined && !words.every((word) => option.argChoices?.includes(word))) {
    throw new UsageError(
      `${place}: --${option.name()} is one of ${option.argChoices.join(', ')}, found ${words.join(', ')}.`,
    );
  }
  const parsed = parse(option, words, place);
  // A repeatable option collects its words; any other keeps the last.
  if (words.length !== 1 && !(Array.isArray(parsed) && parsed.length === words.length)) {
    throw new UsageError(`${place}: --${option.name()} takes one value, found ${words.length}.`);
  }
  return parsed;
}

function parse(option: Option, words: readonly string[], place: string): unknown {
  try {
    return words.reduce<unknown>(
      (before, word) => (option.parseArg ? option.parseArg(word, before) : word),
      undefined,
    );
  } catch (error) {
    throw new UsageError(`${place}: --${option.name()}: ${(error as Error).message}`);
  }
}

function asWord(option: Option, word: unknown, place: string): string {
  if (typeof word === 'string' || typeof word === 'number') return String(word);
  throw new UsageError(
    `${place}: --${option.name()} takes a text or a number, found ${JSON.stringify(word)}.`,
  );
}
