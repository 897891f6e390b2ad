import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nearest } from '../report/nearest.js';
import { readYaml, type YamlSource } from '../report/yaml-source.js';
import { UsageError } from './errors.js';

/** A config file, its shape checked; option values in `defaults` are checked by the options themselves. */
export interface Config {
  readonly file: string;
  readonly targets: Readonly<Record<string, TargetConfig>>;
  /** Option values by their long name without dashes (`timeout`, `expected-failures`). */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** `file:line:column` of a default's value, for errors about it. */
  readonly placeOfDefault: (name: string) => string;
}

/** A named target: what the target options would say on the command line. */
export interface TargetConfig {
  readonly command?: readonly string[];
  readonly unix?: string;
  readonly tcp?: string;
  readonly restartCommand?: readonly string[];
  readonly killCommand?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly inheritEnv?: boolean;
  readonly cwd?: string;
  readonly behaviours?: Readonly<Record<string, string>>;
}

const FILE_NAMES = [
  'msp-conformance.config.yaml',
  'msp-conformance.config.yml',
  'msp-conformance.config.json',
];

/** The named file, else the one found in `folder`, else undefined. Throws `UsageError` with file, line and column. */
export function loadConfig(file: string | undefined, folder: string): Config | undefined {
  const found = file ?? FILE_NAMES.map((name) => join(folder, name)).find((path) => existsSync(path));
  return found === undefined ? undefined : readConfig(readText(found), found);
}

/** Reads a config file's text. */
export function readConfig(text: string, file: string): Config {
  const source = readYaml(text, file, (message) => new UsageError(message));
  const root = source.value === null ? {} : asMapping(source, [], source.value);
  assertKeys(source, [], root, ['targets', 'defaults']);
  const targets = asMapping(source, ['targets'], root['targets'] ?? {});
  const defaults = asMapping(source, ['defaults'], root['defaults'] ?? {});
  return {
    file,
    targets: Object.fromEntries(
      Object.entries(targets).map(([name, target]) => [name, readTarget(source, ['targets', name], target)]),
    ),
    defaults,
    placeOfDefault: (name) => source.at(['defaults', name]),
  };
}

/** The target that `--target` names. Throws `UsageError` with the nearest name. */
export function namedTarget(config: Config | undefined, name: string): TargetConfig {
  if (config === undefined) {
    throw new UsageError(
      `--target ${name} needs a config file: --config FILE, or ${FILE_NAMES[0]} in this folder.`,
    );
  }
  const target = Object.hasOwn(config.targets, name) ? config.targets[name] : undefined;
  if (target !== undefined) return target;
  const names = Object.keys(config.targets);
  const close = nearest(name, names);
  const known = names.length === 0 ? 'it names none' : `it names ${names.join(', ')}`;
  const hint = close === undefined ? '' : ` Did you mean ${close}?`;
  throw new UsageError(`${config.file} has no target ${JSON.stringify(name)}: ${known}.${hint}`);
}

type Path = readonly (string | number)[];

/** How each member of a target is read; the names are the only ones allowed. */
const TARGET_READERS: Readonly<
  Record<keyof TargetConfig, (source: YamlSource, path: Path, value: unknown) => unknown>
> = {
  command: asWords,
  unix: asText,
  tcp: asText,
  restartCommand: asWords,
  killCommand: asWords,
  env: asTexts,
  inheritEnv: asBoolean,
  cwd: asText,
  behaviours: asTexts,
};

function readTarget(source: YamlSource, path: Path, value: unknown): TargetConfig {
  const mapping = asMapping(source, path, value);
  assertKeys(source, path, mapping, Object.keys(TARGET_READERS));
  return Object.fromEntries(
    Object.entries(mapping).map(([name, member]) => [
      name,
      TARGET_READERS[name as keyof TargetConfig](source, [...path, name], member),
    ]),
  );
}

function assertKeys(
  source: YamlSource,
  path: Path,
  mapping: Readonly<Record<string, unknown>>,
  known: readonly string[],
): void {
  const unknown = Object.keys(mapping).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const close = nearest(unknown, known);
  const hint = close === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${close}?`;
  throw new UsageError(
    `${source.at([...path, unknown], 'key')}: unknown key ${JSON.stringify(unknown)}. ${hint}`,
  );
}

function asMapping(source: YamlSource, path: Path, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  return wrong(source, path, 'a mapping', value);
}

function asText(source: YamlSource, path: Path, value: unknown): string {
  return typeof value === 'string' ? value : wrong(source, path, 'a text', value);
}

function asBoolean(source: YamlSource, path: Path, value: unknown): boolean {
  return typeof value === 'boolean' ? value : wrong(source, path, 'true or false', value);
}

/** A list of words and never one string: nothing is split by rules that only a shell knows. */
function asWords(source: YamlSource, path: Path, value: unknown): readonly string[] {
  const words = Array.isArray(value)
    ? (value as unknown[])
    : wrong(source, path, 'a list of words, as in [node, server.js]', value);
  if (words.length === 0) return wrong(source, path, 'at least one word', value);
  return words.map((word, i) =>
    typeof word === 'number' ? String(word) : asText(source, [...path, i], word),
  );
}

function asTexts(source: YamlSource, path: Path, value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(asMapping(source, path, value)).map(([name, text]) => [
      name,
      typeof text === 'number' || typeof text === 'boolean'
        ? String(text)
        : asText(source, [...path, name], text),
    ]),
  );
}

function wrong(source: YamlSource, path: Path, expected: string, value: unknown): never {
  const name = path.length === 0 ? 'the file' : path.join('.');
  const found = JSON.stringify(value)?.slice(0, 60) ?? 'nothing';
  throw new UsageError(`${source.at(path)}: ${name} must be ${expected}, found ${found}.`);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
