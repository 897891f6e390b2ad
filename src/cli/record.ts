import { basename, extname } from 'node:path';
import { Command } from 'commander';
import { bundledServer } from './bundled-server.js';
import { loadConfig, namedTarget } from './config.js';
import type { CliContext } from './context.js';
import { UsageError } from './errors.js';
import { examples } from './help.js';
import { addTargetOptions, type TargetOptions, targetSpec } from './target-options.js';

/** `record`: writes scenarios from live conversations. */
export function defineRecord(context: CliContext): Command {
  return addTargetOptions(new Command('record').usage('--out <dir> [options] [-- <server command...>]'))
    .description('Writes a scenario: the frames between a client and a server, and a manifest.')
    .requiredOption('--out <dir>', 'the folder that gets the scenario’s folder')
    .option('--id <id>', 'the scenario’s name')
    .option('--client <script>', 'play these client lines to the server')
    .option('--manifest <file>', 'JSON with members for the manifest, "conformance" among them')
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
  readonly force?: boolean;
  readonly config?: string;
  readonly target?: string;
}

const EXAMPLES = examples([
  'record --out scenarios --client turn.jsonl -- node my-server.js',
  'play a script of client lines and record the answers',
]);

async function record(options: RecordOptions, context: CliContext): Promise<number> {
  if (options.client === undefined) throw new UsageError('record needs --client <script>.');
  const { recordScript } = await import('../record/record-script.js');
  const { readManifestFile } = await import('../record/manifest-file.js');
  const { thisTool } = await import('../record/tool.js');
  const folder = await recordScript(targetOf(options, context), {
    scriptFile: options.client,
    out: options.out,
    id: options.id ?? basename(options.client, extname(options.client)),
    force: options.force ?? false,
    manifest: options.manifest === undefined ? undefined : await readManifestFile(options.manifest),
    tool: thisTool(),
    redact: (raw) => raw,
  });
  context.stderr(`recorded ${folder}\n`);
  return 0;
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
