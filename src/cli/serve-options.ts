import { Command } from 'commander';
import type { CliContext } from './context.js';
import { examples } from './help.js';
import { append } from './repeatable.js';
import type { ServeCommandOptions } from './serve.js';

/** The `serve` command. Without `--frame-limit` the environment's `MSP_FRAME_LIMIT_BYTES` counts, which the harness sets. */
export function defineServe(context: CliContext): Command {
  return new Command('serve')
    .description('Runs the reference server: durable, deterministic, over stdio or a socket.')
    .option('--state <dir>', 'where sessions are kept (default: MSP_STATE_DIR, else ~/.msp-reference)')
    .option('--ephemeral', 'keep nothing: sessions end with the process')
    .option('--listen <address>', 'unix:PATH or tcp:HOST:PORT instead of stdio')
    .option('--frame-limit <bytes>', 'longest frame, read or written')
    .option('--idle-unload <ms>', 'unload a session that nobody follows after this long (default: 600000)')
    .option('--seed <n>', 'mint the same ids at every start')
    .option('--clock <ms>', 'start a clock of its own at this Unix time')
    .option('--session <id>', 'load a session before anybody connects')
    .option('--fault <name>', 'break one promise on purpose; list faults names them (repeatable)', append)
    .addHelpText('after', EXAMPLES)
    .action(async (options: ServeCommandOptions) => {
      const { serveCommand } = await import('./serve.js');
      const limit = process.env['MSP_FRAME_LIMIT_BYTES'];
      context.finish(await serveCommand({ ...(limit !== undefined && { frameLimit: limit }), ...options }));
    });
}

const EXAMPLES = examples(
  ['serve', 'over stdio, as a client would spawn it'],
  ['serve --listen tcp:127.0.0.1:7000 --state ./state', 'on a port, for several clients'],
  ['serve --fault ledger-in-memory', 'with one deliberate violation, to see the harness find it'],
);
