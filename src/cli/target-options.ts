import type { Command } from 'commander';
import { nearest } from '../report/nearest.js';
import type { TargetAddress, TargetSpec } from '../target/spec.js';
import type { BehaviourName } from '../transcript/scenario.js';
import type { TargetConfig } from './config.js';
import { UsageError } from './errors.js';
import { splitWords } from './split-words.js';

/** The target options as commander reads them. */
export interface TargetOptions {
  readonly unix?: string;
  readonly tcp?: string;
  readonly restartCommand?: string;
  readonly killCommand?: string;
  readonly env?: readonly string[];
  readonly inheritEnv?: boolean;
  readonly behaviour?: readonly string[];
  readonly startTimeout?: string;
  readonly timeout?: string;
  readonly grace?: string;
}

/** Adds the options that name a target and its limits. */
export function addTargetOptions(command: Command): Command {
  return command
    .option('--unix <path>', 'connect to a Unix socket; placeholders as in the command')
    .option('--tcp <host:port>', 'connect to a TCP port; {port} is a free one')
    .option('--restart-command <command>', 'restarts a server that is connected to, not launched')
    .option('--kill-command <command>', 'kills a server that is connected to, not launched')
    .option('--env <name=value>', 'set in the server’s environment (repeatable)', append)
    .option('--inherit-env', 'give the server your environment instead of a hermetic one')
    .option('--behaviour <name=text>', 'input that makes the model do it (repeatable)', append)
    .option('--start-timeout <ms>', `how long a server may take to start (${DEFAULTS.startTimeout})`)
    .option('--timeout <ms>', `how long an answer may take (${DEFAULTS.timeout})`)
    .option('--grace <ms>', `how long each step of an orderly stop may take (${DEFAULTS.grace})`);
}

const DEFAULTS = { startTimeout: 10_000, timeout: 10_000, grace: 5_000 } as const;

/**
 * The target that the command line describes: its own words first, then those of the target it names in the config
 * file, and where neither says where the server is, the bundled one. Throws `UsageError`.
 */
export function targetSpec(
  options: TargetOptions,
  sources: {
    /** The words after `--`. */
    readonly serverCommand: readonly string[] | undefined;
    readonly named?: { readonly name: string; readonly target: TargetConfig };
    readonly bundled: Pick<TargetSpec, 'label' | 'behaviours'> & { readonly command: readonly string[] };
  },
): TargetSpec {
  const { serverCommand, named, bundled } = sources;
  const isPlaced = [serverCommand, options.unix, options.tcp].some((given) => given !== undefined);
  const place = isPlaced
    ? { command: serverCommand, unix: options.unix, tcp: options.tcp }
    : (named?.target ?? { command: bundled.command });
  const isBundled = !isPlaced && named === undefined;
  const { command } = place;
  const address = addressOf(place.unix, place.tcp);
  const placeInWords = command?.join(' ') ?? place.unix ?? place.tcp ?? '';
  // A command given after -- takes the place of whatever ran the named target's server.
  const keeper = serverCommand === undefined ? named?.target : undefined;
  const restartCommand = wordsOf(options.restartCommand, '--restart-command') ?? keeper?.restartCommand;
  const killCommand = wordsOf(options.killCommand, '--kill-command') ?? keeper?.killCommand;
  const spec: TargetSpec = {
    label: isBundled ? bundled.label : ((isPlaced ? undefined : named?.name) ?? placeInWords),
    address,
    ...(command && { command }),
    ...(restartCommand && { restartCommand }),
    ...(killCommand && { killCommand }),
    ...(named?.target.cwd !== undefined && { cwd: named.target.cwd }),
    env: { ...named?.target.env, ...pairs(options.env, '--env') },
    inheritEnv: options.inheritEnv ?? named?.target.inheritEnv ?? false,
    behaviours: behaviours({
      ...(isBundled ? bundled.behaviours : named?.target.behaviours),
      ...pairs(options.behaviour, '--behaviour'),
    }),
    startTimeoutMs: milliseconds(options.startTimeout, '--start-timeout', DEFAULTS.startTimeout),
    timeoutMs: milliseconds(options.timeout, '--timeout', DEFAULTS.timeout),
    graceMs: milliseconds(options.grace, '--grace', DEFAULTS.grace),
  };
  assertConsistent(spec);
  return spec;
}

function append(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function addressOf(unix: string | undefined, tcp: string | undefined): TargetAddress {
  if (unix !== undefined && tcp !== undefined) throw new UsageError('Give --unix or --tcp, not both.');
  if (unix === '') throw new UsageError('--unix expects the path of a socket, found nothing.');
  if (unix !== undefined) return { kind: 'unix', path: unix };
  return tcp === undefined ? { kind: 'stdio' } : tcpAddress(tcp);
}

function tcpAddress(text: string): TargetAddress {
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d+|\{port\})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || (port !== '{port}' && !isPort(Number(port)))) {
    throw new UsageError(
      `--tcp expects HOST:PORT, as in 127.0.0.1:7000, [::1]:7000 or 127.0.0.1:{port}, found ${JSON.stringify(text)}.`,
    );
  }
  return { kind: 'tcp', host, port: port === '{port}' ? port : Number(port) };
}

function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535;
}

function wordsOf(text: string | undefined, option: string): readonly string[] | undefined {
  return text === undefined ? undefined : splitWords(text, option);
}

function pairs(texts: readonly string[] | undefined, option: string): Readonly<Record<string, string>> {
  return Object.fromEntries((texts ?? []).map((text) => pair(text, option)));
}

function pair(text: string, option: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at <= 0) throw new UsageError(`${option} expects NAME=VALUE, found ${JSON.stringify(text)}.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

const BEHAVIOURS: readonly BehaviourName[] = ['slow', 'fail', 'approval', 'question', 'echo'];

function behaviours(texts: Readonly<Record<string, string>>): TargetSpec['behaviours'] {
  const unknown = Object.keys(texts).find((name) => !BEHAVIOURS.some((known) => known === name));
  if (unknown === undefined) return texts;
  const close = nearest(unknown, BEHAVIOURS);
  const hint = close === undefined ? `Known are ${BEHAVIOURS.join(', ')}.` : `Did you mean ${close}?`;
  throw new UsageError(`There is no behaviour ${JSON.stringify(unknown)}. ${hint}`);
}

/** Timers take no more: a longer one would end at once. */
const LONGEST_MS = 2 ** 31 - 1;

function milliseconds(text: string | undefined, option: string, byDefault: number): number {
  if (text === undefined) return byDefault;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= LONGEST_MS) return value;
  throw new UsageError(
    `${option} expects whole milliseconds from 1 to ${LONGEST_MS}, found ${JSON.stringify(text)}.`,
  );
}

function assertConsistent(spec: TargetSpec): void {
  const { command, address, restartCommand, killCommand } = spec;
  if (command === undefined && address.kind === 'stdio') {
    throw new UsageError(`The target ${spec.label} says neither a command nor --unix nor --tcp.`);
  }
  if (command?.[0] === '') throw new UsageError('The server’s command begins with an empty word.');
  if (command !== undefined && (restartCommand ?? killCommand) !== undefined) {
    throw new UsageError(
      '--restart-command and --kill-command are for a server that is only connected to: a launched one is restarted by running its command again.',
    );
  }
  if (command === undefined && address.kind === 'tcp' && address.port === '{port}') {
    throw new UsageError('{port} is a port that the harness picks: only a command after -- can be told it.');
  }
}
