import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError, Option } from 'commander';
import { DERIVED_PASSES, type PassName } from '../checks/finding.js';
import { nearest } from '../report/nearest.js';
import { parseReporter, REPORTER_NAMES, type ReporterChoice } from '../report/reporters.js';
import type { Shard } from '../run/select-scenarios.js';
import type { TargetSpec } from '../target/spec.js';
import { bundledServer } from './bundled-server.js';
import { loadConfig, namedTarget } from './config.js';
import { applyConfigDefaults } from './config-defaults.js';
import type { CliContext } from './context.js';
import { UsageError } from './errors.js';
import { examples } from './help.js';
import { append } from './repeatable.js';
import { addTargetOptions, type TargetOptions, targetSpec } from './target-options.js';

/** Everything that decides a run, checked and with its defaults filled in. */
export interface RunOptions {
  readonly target: TargetSpec;
  /** Paths given with `--scenarios`; empty for the bundled ones. */
  readonly scenarios: readonly string[];
  /** Path of the bundle; undefined for the bundled one. */
  readonly schema: string | undefined;
  /** Patterns on `scenario` or `scenario:check`. */
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /** The derived passes to run beside `replay`, in the order of the table. */
  readonly passes: readonly PassName[];
  /** `--passes` was given, here or in the config file: a scenario's manifest leaves none of them out. */
  readonly asksForPasses: boolean;
  readonly workers: number;
  readonly shard: Shard | undefined;
  readonly repeat: number;
  readonly seed: number;
  /** Kills before an ack, per scenario. */
  readonly crashPoints: number;
  readonly match: 'conformant' | 'exact';
  readonly ids: 'fresh' | 'recorded';
  readonly require: 'core' | 'all';
  readonly strict: boolean;
  readonly bail: boolean;
  readonly keep: boolean;
  readonly expectedFailures: string | undefined;
  readonly updateExpectedFailures: boolean;
  readonly reporters: readonly ReporterChoice[];
  readonly outDir: string | undefined;
  readonly quiet: boolean;
  readonly verbose: boolean;
  /** The words of this command line that a re-run repeats: target and limits, not selection and reports. */
  readonly rerunWords: readonly string[];
}

/** Carries out a run and gives its exit code. */
export type RunCommand = (options: RunOptions, context: CliContext) => Promise<number>;

/** The `run` command with all its options; `run` does the work. */
export function defineRunWith(context: CliContext, run: RunCommand): Command {
  return addRunOptions(new Command('run')).action(async (_: unknown, command: Command) => {
    context.finish(await run(readRunOptions(command, context), context));
  });
}

/** Adds the target options and the run options, with examples. */
export function addRunOptions(command: Command): Command {
  return addTargetOptions(command.usage('[options] [-- <server command...>]'))
    .description('Replays scenarios against a server and reports every broken promise.')
    .option('--config <file>', 'YAML or JSON file with targets and defaults (msp-conformance.config.*)')
    .option('--target <name>', 'a target of the config file')
    .option(
      '--scenarios <path>',
      'a scenario or a folder of them (repeatable; default: the bundled ones)',
      append,
    )
    .option('--schema <file>', 'the protocol bundle (default: the bundled one)')
    .option('--only <glob>', 'only these, as scenario or scenario:check (repeatable)', append)
    .option('--skip <glob>', 'not these, as scenario or scenario:check (repeatable)', append)
    .addOption(
      new Option('--passes <list>', `derived replays: all, none, or a list of ${DERIVED_PASSES.join(', ')}`)
        .argParser(passes)
        .default(DERIVED_PASSES, 'all'),
    )
    .option('--workers <n>', 'scenarios at the same time', count, Math.min(4, availableParallelism()))
    .option('--shard <i/n>', 'run the i-th of n parts; all need the same seed; report merges them', shard)
    .option('--repeat <n>', 'run everything n times and name what changes its verdict', count, 1)
    .option('--crash-points <n>', 'kills before an ack, per scenario', count, 8)
    .option(
      '--seed <n>',
      `repeats the random choices of an earlier run (default: drawn; with --shard ${SHARD_SEED})`,
      seed,
    )
    .addOption(
      choice('--match <how>', 'exact wants every frame as recorded, in order', ['conformant', 'exact']),
    )
    .addOption(choice('--ids <how>', 'mint new ids or keep the recorded ones', ['fresh', 'recorded']))
    .addOption(choice('--require <what>', 'all fails what a server does not offer', ['core', 'all']))
    .option('--strict', 'warnings fail the run')
    .option('--bail', 'stop after the first scenario that fails')
    .option('--keep', 'leave state directories and workspaces for inspection')
    .option('--expected-failures <file>', 'YAML list of known failures, which do not fail the run')
    .option('--update-expected-failures', 'write that file anew, keeping reasons and comments')
    .option(
      '--reporter <name[=file]>',
      `${REPORTER_NAMES.join(', ')} (repeatable; default: pretty)`,
      reporter,
    )
    .option('--out <dir>', 'write report.json there, and every report without a file of its own')
    .option('--quiet', 'print only failures and the verdict')
    .option('--verbose', 'print notes, whole frames and the commands that are run')
    .addHelpText('after', EXAMPLES);
}

/** Reads what commander parsed, over the defaults of the config file. Throws `UsageError`. */
export function readRunOptions(command: Command, context: Pick<CliContext, 'serverCommand'>): RunOptions {
  const { config: file, target: name } = command.opts<{ config?: string; target?: string }>();
  const config = loadConfig(file, process.cwd());
  if (config !== undefined) applyConfigDefaults(command, config);
  const options = command.opts<ParsedOptions>();
  const targetName = name ?? options.target;
  if (options.updateExpectedFailures && options.expectedFailures === undefined) {
    throw new UsageError('--update-expected-failures needs --expected-failures FILE, which it writes.');
  }
  if (options.quiet && options.verbose) throw new UsageError('Give --quiet or --verbose, not both.');
  return {
    target: targetSpec(options, {
      serverCommand: context.serverCommand,
      bundled: bundledServer(),
      ...(targetName === undefined
        ? {}
        : { named: { name: targetName, target: namedTarget(config, targetName) } }),
    }),
    scenarios: options.scenarios ?? [],
    schema: options.schema,
    only: options.only ?? [],
    skip: options.skip ?? [],
    passes: derivedPasses(command, options),
    asksForPasses: asksForPasses(command),
    workers: options.workers,
    shard: options.shard,
    repeat: options.repeat,
    seed: options.seed ?? (options.shard === undefined ? randomInt(2 ** 31) : SHARD_SEED),
    crashPoints: options.crashPoints,
    match: options.match,
    ids: options.ids,
    require: options.require,
    strict: options.strict ?? false,
    bail: options.bail ?? false,
    keep: options.keep ?? false,
    expectedFailures: options.expectedFailures,
    updateExpectedFailures: options.updateExpectedFailures ?? false,
    reporters: options.reporter ?? [],
    outDir: options.out,
    quiet: options.quiet ?? false,
    verbose: options.verbose ?? false,
    rerunWords: rerunWords(command, context.serverCommand),
  };
}

/** A seeded host plays its recording and nothing else: there, derived replays are run only when they are asked for. */
function derivedPasses(command: Command, { passes, ids, match }: ParsedOptions): readonly PassName[] {
  return asksForPasses(command) || (ids === 'fresh' && match === 'conformant') ? passes : [];
}

function asksForPasses(command: Command): boolean {
  return command.getOptionValueSource('passes') !== 'default';
}

interface ParsedOptions extends TargetOptions {
  readonly target?: string;
  readonly scenarios?: readonly string[];
  readonly schema?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly passes: readonly PassName[];
  readonly workers: number;
  readonly shard?: Shard;
  readonly repeat: number;
  readonly seed?: number;
  readonly crashPoints: number;
  readonly match: 'conformant' | 'exact';
  readonly ids: 'fresh' | 'recorded';
  readonly require: 'core' | 'all';
  readonly strict?: boolean;
  readonly bail?: boolean;
  readonly keep?: boolean;
  readonly expectedFailures?: string;
  readonly updateExpectedFailures?: boolean;
  readonly reporter?: readonly ReporterChoice[];
  readonly out?: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

const EXAMPLES = examples(
  ['run', 'the bundled scenarios against the bundled reference server'],
  ['run -- node my-server.js --stdio', 'your server, spawned'],
  [
    "run --behaviour slow='count to a million' -- node my-server.js",
    'more scenarios, by telling how to keep the model busy',
  ],
  ['run --unix {stateDir}/sock -- node my-server.js --socket {stateDir}/sock', 'a server on a Unix socket'],
  ["run --only 'goal-*' --passes duplicate,conflict -- node my-server.js", 'some scenarios, some passes'],
  ['run --reporter pretty --reporter junit=junit.xml -- node my-server.js', 'in CI'],
  [
    'run --shard 1/3 --reporter json=1.json -- node my-server.js',
    'a third of it, on one machine of three; report 1.json 2.json 3.json merges them',
  ],
);

/** Shards are not told of each other, and are merged only when they drew their random choices from one seed. */
const SHARD_SEED = 1;

/** What a re-run does not repeat: its own selection replaces that of the run, and it reports to the terminal. */
const NOT_REPEATED: ReadonlySet<string> = new Set([
  'only',
  'skip',
  'workers',
  'shard',
  'repeat',
  'seed',
  'bail',
  'keep',
  'expectedFailures',
  'updateExpectedFailures',
  'reporter',
  'out',
  'quiet',
  'verbose',
]);

function rerunWords(command: Command, serverCommand: readonly string[] | undefined): string[] {
  const words = command.options
    .filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli')
    .filter((option) => !NOT_REPEATED.has(option.attributeName()))
    .flatMap((option) => {
      const value: unknown = command.getOptionValue(option.attributeName());
      if (value === true) return [option.long ?? ''];
      if (option.attributeName() === 'passes') return ['--passes', (value as string[]).join(',') || 'none'];
      return (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((each) => [
        option.long ?? '',
        String(each),
      ]);
    });
  return serverCommand === undefined ? words : [...words, '--', ...serverCommand];
}

function choice(flags: string, description: string, choices: readonly [string, string]): Option {
  return new Option(flags, description).choices(choices).default(choices[0]);
}

function reporter(text: string, before: readonly ReporterChoice[] = []): readonly ReporterChoice[] {
  return [...before, parseReporter(text)];
}

function passes(text: string): readonly PassName[] {
  if (text === 'all') return DERIVED_PASSES;
  if (text === 'none') return [];
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !DERIVED_PASSES.some((pass) => pass === name));
  if (unknown !== undefined) {
    const close = nearest(unknown, DERIVED_PASSES);
    throw new InvalidArgumentError(
      `There is no pass ${JSON.stringify(unknown)}.${close === undefined ? '' : ` Did you mean ${close}?`}`,
    );
  }
  return DERIVED_PASSES.filter((pass) => names.includes(pass));
}

function count(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= 1 && value <= 10_000) return value;
  throw new InvalidArgumentError('It must be a whole number from 1 to 10000.');
}

function seed(text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('It must be a whole number from 0.');
}

function shard(text: string): Shard {
  const [, index, total] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const parsed = { index: Number(index), count: Number(total) };
  if (parsed.index >= 1 && parsed.index <= parsed.count && parsed.count <= 10_000) return parsed;
  throw new InvalidArgumentError('It must be I/N with I from 1 to N, as in 2/3.');
}
