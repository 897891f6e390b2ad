import { Command } from 'commander';
import type { CliContext } from './context.js';
import { UsageError } from './errors.js';
import { examples } from './help.js';
import type { RecordOptions } from './record-options.js';
import { addRedactOptions } from './redaction.js';
import { addTargetOptions } from './target-options.js';

/** `record`: writes scenarios from live conversations. */
export function defineRecord(context: CliContext): Command {
  const command = new Command('record')
    .usage('--out <dir> [options] [-- <server command...>]')
    .description(
      'Writes a scenario: the frames between a client and a server, and a manifest. Without --client, --listen or --from it stands in for the server of the client that starts it.',
    )
    .option('--out <dir>', 'the folder that gets the scenario’s folder')
    .option('--id <id>', 'the scenario’s name')
    .option(
      '--client <script>',
      'play these client lines, or the client side of this scenario, to the server',
    )
    .option('--listen <address>', 'unix:PATH or tcp:HOST:PORT: pass connections on to --unix or --tcp')
    .option('--from <scenario>', 'record this scenario anew, in its place, if it still means the same')
    .option('--accept <reason>', 'with --from: write it even if it means something else')
    .option('--verify <n>', 'drive the recording n more times and write down what varies')
    .option('--manifest <file>', 'JSON with members for the manifest, "conformance" among them')
    .option('--force', 'replace a scenario of the same name');
  return addRedactOptions(addTargetOptions(command))
    .option('--schema <file>', 'the protocol bundle (default: the bundled one)')
    .option('--config <file>', 'YAML or JSON file with targets and defaults (msp-conformance.config.*)')
    .option('--target <name>', 'a target of the config file')
    .addHelpText('after', EXAMPLES)
    .action(async (options: RecordOptions) => {
      context.finish(await record(options, context));
    });
}

const EXAMPLES = examples(
  ['record --out scenarios -- node my-server.js', 'stand in for the server of a client that starts this'],
  [
    'record --out scenarios --client turn.jsonl --verify 3 -- node my-server.js',
    'play a script of client lines, record the answers, learn what varies',
  ],
  [
    'record --out scenarios --listen tcp:127.0.0.1:7000 --unix /run/msp.sock',
    'between clients and a server on a socket',
  ],
  ['record --from scenarios/turn -- node my-server.js', 'record again'],
);

async function record(options: RecordOptions, context: CliContext): Promise<number> {
  assertOneMode(options);
  if (options.from !== undefined)
    return (await import('./record-driven.js')).recordAgain(options.from, options, context);
  if (options.client !== undefined)
    return (await import('./record-driven.js')).recordClient(options.client, options, context);
  if (options.verify !== undefined) {
    throw new UsageError('--verify needs --client or, for a scenario that is there, --from.');
  }
  const { recordBetweenSockets, recordStandIn } = await import('./record-live.js');
  return options.listen === undefined
    ? recordStandIn(options, context)
    : recordBetweenSockets(options.listen, options, context);
}

function assertOneMode({ client, listen, from, accept, out }: RecordOptions): void {
  const modes = Object.entries({ client, listen, from }).filter(([, value]) => value !== undefined);
  const names = modes.map(([name]) => `--${name}`);
  if (names.length > 1) throw new UsageError(`Give one of ${names.join(' and ')}.`);
  if (from !== undefined && out !== undefined) {
    throw new UsageError('record --from writes in the scenario’s own place; leave --out away.');
  }
  if (from === undefined && out === undefined) throw new UsageError('record needs --out <dir>.');
  if (from === undefined && accept !== undefined) throw new UsageError('--accept goes with --from.');
}
