import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import type { CliContext } from './context.js';
import { examples } from './help.js';
import { append } from './repeatable.js';

/** What `selftest` was asked for. */
export interface SelftestCommandOptions {
  readonly workers: number;
  readonly only?: readonly string[];
  readonly scenarios?: readonly string[];
  readonly json?: boolean;
  readonly list?: boolean;
}

/** The `selftest` command. */
export function defineSelftest(context: CliContext): Command {
  return new Command('selftest')
    .description(
      'Runs the suite against the bundled server and against each deliberate fault of it: none of the faults may survive, and the honest server may not be accused.',
    )
    .option('--workers <n>', 'servers tried at a time', atLeastOne, Math.min(4, availableParallelism()))
    .option('--only <name>', 'try this fault alone (repeatable)', append)
    .option('--list', 'print the faults, with what each breaks and what catches it, and try none')
    .option('--scenarios <path>', 'where the scenarios lie (repeatable; default: the bundled ones)', append)
    .option('--json', 'print one JSON object')
    .addHelpText('after', EXAMPLES)
    .action(async (options: SelftestCommandOptions) => {
      const { selftestCommand } = await import('./selftest.js');
      context.finish(await selftestCommand(options, context));
    });
}

const EXAMPLES = examples(
  ['selftest', 'the whole kill matrix'],
  ['selftest --only intake-after-ack', 'one fault, and what is said about it'],
  ['selftest --list', 'the faults that serve --fault knows'],
);

function atLeastOne(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('expected a whole number of at least 1.');
}
