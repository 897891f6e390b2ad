import { randomBytes } from 'node:crypto';
import { basename, extname, join } from 'node:path';
import { Command } from 'commander';
import { bundledServer } from './bundled-server.js';
import { loadConfig, namedTarget } from './config.js';
import type { CliContext } from './context.js';
import { UsageError } from './errors.js';
import { ExitCode } from './exit-codes.js';
import { examples } from './help.js';
import { listenAddress } from './listen-address.js';
import { addTargetOptions, type TargetOptions, targetSpec } from './target-options.js';
import { toolIdentity } from './tool-identity.js';

/** `record`: writes scenarios from live conversations. */
export function defineRecord(context: CliContext): Command {
  return addTargetOptions(new Command('record').usage('--out <dir> [options] [-- <server command...>]'))
    .description('Writes a scenario: the frames between a client and a server, and a manifest.')
    .requiredOption('--out <dir>', 'the folder that gets the scenario’s folder')
    .option('--id <id>', 'the scenario’s name')
    .option('--client <script>', 'play these client lines to the server')
    .option('--manifest <file>', 'JSON with members for the manifest, "conformance" among them')
    .option('--listen <address>', 'unix:PATH or tcp:HOST:PORT: pass connections on to --unix or --tcp')
    .option('--force', 'replace a scenario of the same name')
    .option('--config <file>', 'YAML or JSON file with targets and defaults (msp-conformance.config.*)')
    .option('--target <name>', 'a target of the config file')
    .addHelpText('after', EXAMPLES)
    .action(async (options: RecordOptions) => {
      context.finish(await record(options, context));
    });
}

interface RecordOptions extends TargetOptions {
  readonly out: string;
  readonly id?: string;
  readonly client?: string;
  readonly manifest?: string;
  readonly listen?: string;
  readonly force?: boolean;
  readonly config?: string;
  readonly target?: string;
}

const EXAMPLES = examples(
  ['record --out scenarios -- node my-server.js', 'stand in for the server of a client that starts this'],
  [
    'record --out scenarios --client turn.jsonl -- node my-server.js',
    'play a script of client lines and record the answers',
  ],
);

async function record(options: RecordOptions, context: CliContext): Promise<number> {
  if (options.client !== undefined) return play(options.client, options, context);
  if (options.listen !== undefined) return proxy(options.listen, options, context);
  if (context.serverCommand === undefined) {
    throw new UsageError('record needs the server’s command after --, or --client <script>.');
  }
  return standInFor(context.serverCommand, options, context);
}

async function play(script: string, options: RecordOptions, context: CliContext): Promise<number> {
  const { recordScript } = await import('../record/record-script.js');
  const folder = await recordScript(targetOf(options, context), {
    ...(await common(options)),
    scriptFile: script,
    id: options.id ?? basename(script, extname(script)),
  });
  context.stderr(`recorded ${folder}\n`);
  return ExitCode.conformant;
}

/** The client started us in the place of its server: nothing but the server's own words may reach it. */
async function standInFor(
  command: readonly string[],
  options: RecordOptions,
  context: CliContext,
): Promise<number> {
  const { standIn } = await import('../record/stand-in.js');
  const { ownStdout } = await import('../record/own-stdout.js');
  const id = options.id ?? freshId();
  const { exit, lines } = await standIn(
    command,
    { from: process.stdin, to: ownStdout() },
    {
      ...(await common(options)),
      id,
      warn: (problem) => context.stderr(`msp-conformance record: ${problem}\n`),
    },
  );
  if (options.id === undefined && lines > 0) context.stderr(`recorded ${join(options.out, id)}\n`);
  if (exit.signal !== null) process.kill(process.pid, exit.signal);
  return exit.code ?? ExitCode.harness;
}

/** Goes on until somebody ends it, which is then its orderly end. */
async function proxy(listen: string, options: RecordOptions, context: CliContext): Promise<number> {
  const { socketProxy } = await import('../record/socket-proxy.js');
  const spec = targetOf(options, context);
  const { address } = spec;
  if (context.serverCommand !== undefined || address.kind === 'stdio') {
    throw new UsageError(
      'record --listen needs --unix or --tcp, a server that runs already, and no command.',
    );
  }
  const upstream = address.kind === 'tcp' ? { ...address, port: Number(address.port) } : address;
  const stop = new AbortController();
  const ended = new Promise<number>((resolve) => {
    const end = (code: number) => {
      stop.abort();
      resolve(code);
    };
    process.once('SIGINT', () => end(ExitCode.interrupted)).once('SIGTERM', () => end(ExitCode.terminated));
  });
  const say = (text: string) => context.stderr(`msp-conformance record: ${text}\n`);
  await socketProxy(
    listenAddress(listen),
    upstream,
    {
      ...(await common(options)),
      id: options.id ?? freshId(),
      startTimeoutMs: spec.startTimeoutMs,
      warn: say,
      listening: (address) => say(`listening at ${address}`),
      recorded: (folder) => say(`recorded ${folder}`),
    },
    stop.signal,
  );
  return ended;
}

async function common(options: RecordOptions) {
  const { readManifestFile } = await import('../record/manifest-file.js');
  return {
    out: options.out,
    force: options.force ?? false,
    manifest: options.manifest === undefined ? undefined : await readManifestFile(options.manifest),
    tool: toolIdentity(),
    redact: (raw: string) => raw,
  };
}

/** Two recordings that begin at the same moment have different names. */
function freshId(): string {
  const time = new Date()
    .toISOString()
    .replace(/[-:]|\..*/g, '')
    .replace('T', '-');
  return `recording-${time}-${randomBytes(3).toString('hex')}`;
}

function targetOf(options: RecordOptions, context: CliContext) {
  const { target: name } = options;
  const config = loadConfig(options.config, process.cwd());
  return targetSpec(options, {
    serverCommand: context.serverCommand,
    bundled: bundledServer(),
    ...(name !== undefined && { named: { name, target: namedTarget(config, name) } }),
  });
}
