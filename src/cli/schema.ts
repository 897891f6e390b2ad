import { Command } from 'commander';
import { forTerminal } from '../report/escape.js';
import type { BundleSummary, StabilityCount } from '../schema/bundle-summary.js';
import type { BundleProblem } from '../schema/check-bundle.js';
import type { SchemaChange } from '../schema/schema-change.js';
import type { CliContext } from './context.js';
import { ExitCode } from './exit-codes.js';
import { examples } from './help.js';

/** `schema`: `info`, `diff` and `check` of MSP bundles. `diff` and `check` exit 1 for a breaking change or an error. */
export function defineSchema(context: CliContext): Command {
  const schema = new Command('schema')
    .description('Looks into MSP schema bundles.')
    .addHelpText('after', examples(INFO, DIFF, CHECK));
  schema
    .command('info')
    .description('What a bundle holds: counts, fingerprint, commands, experimental surface.')
    .argument('[bundle]', 'a bundle (default: the bundled one)')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples(INFO))
    .action(async (path: string | undefined, { json }: JsonOption) => {
      const { summarizeBundle } = await import('../schema/bundle-summary.js');
      const summary = summarizeBundle(await load(path));
      context.stdout(json ? asJson(summary) : infoText(summary));
      context.finish(ExitCode.conformant);
    });
  schema
    .command('diff')
    .description(
      'What changed from an older bundle to a newer one, and whether it breaks clients. Exit 1 if it does.',
    )
    .argument('<older>', 'a bundle')
    .argument('<newer>', 'a bundle')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      examples(DIFF, ['schema diff old.schema.json new.schema.json --json', 'for a program']),
    )
    .action(async (older: string, newer: string, { json }: JsonOption) => {
      const { diffBundles } = await import('../schema/diff-bundles.js');
      const changes = diffBundles(await load(older), await load(newer));
      const breaks = changes.some(({ breaking }) => breaking);
      context.stdout(json ? asJson({ breaking: breaks, changes }) : diffText(changes));
      context.finish(breaks ? ExitCode.violation : ExitCode.conformant);
    });
  schema
    .command('check')
    .description(
      'What is wrong with a bundle: dangling references, unused definitions, repeated codes. Exit 1 for an error.',
    )
    .argument('[bundle]', 'a bundle (default: the bundled one)')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples(CHECK))
    .action(async (path: string | undefined, { json }: JsonOption) => {
      const { checkBundle } = await import('../schema/check-bundle.js');
      const problems = checkBundle(await load(path));
      context.stdout(json ? asJson({ problems }) : checkText(problems));
      const isWrong = problems.some(({ severity }) => severity === 'error');
      context.finish(isWrong ? ExitCode.violation : ExitCode.conformant);
    });
  return schema;
}

interface JsonOption {
  readonly json?: boolean;
}

const INFO = ['schema info', 'the bundled bundle in numbers'] as const;
const DIFF = ['schema diff old.schema.json new.schema.json', 'is an upgrade safe for clients?'] as const;
const CHECK = ['schema check msp.schema.json', 'is a bundle sound?'] as const;

async function load(path: string | undefined) {
  const { bundledSchemaPath, loadBundle } = await import('../schema/load-bundle.js');
  return loadBundle(path ?? bundledSchemaPath());
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function infoText(summary: BundleSummary): string {
  const counted = (['methods', 'notifications', 'requests', 'errors', 'definitions'] as const).map(
    (name) => [name, stability(summary[name])] as const,
  );
  const lines: readonly (readonly [string, string])[] = [
    ['path', summary.path],
    ['fingerprint', summary.fingerprint],
    ...counted,
    ['enums', `${summary.enums.open} open, ${summary.enums.closed} closed`],
    ['commands', `${summary.commands.length}: ${summary.commands.join(', ')}`],
    ['capabilities', summary.grantableCapabilities.join(', ') || 'none'],
    ['experimental', summary.experimentalDescriptors.join(', ') || 'nothing'],
    ['reserved', summary.reserved.join(', ') || 'nothing'],
  ];
  return `${lines.map(([name, value]) => `${name.padEnd(14)}${forTerminal(value)}`).join('\n')}\n`;
}

function stability({ stable, experimental }: StabilityCount): string {
  return experimental === 0 ? String(stable) : `${stable} stable, ${experimental} experimental`;
}

function diffText(changes: readonly SchemaChange[]): string {
  const breaking = changes.filter((change) => change.breaking);
  const additive = changes.filter((change) => !change.breaking);
  const list = (title: string, entries: readonly SchemaChange[]) =>
    entries.length === 0
      ? []
      : [
          title,
          ...entries.map(
            ({ path, change, why }) =>
              `  ${forTerminal(path)}  ${forTerminal(change)}\n      ${forTerminal(why)}`,
          ),
        ];
  const verdict =
    changes.length === 0
      ? 'No change that can be seen on the wire.'
      : `${breaking.length} breaking, ${additive.length} additive.`;
  return `${[...list('Breaking', breaking), ...list('Additive', additive), verdict].join('\n')}\n`;
}

function checkText(problems: readonly BundleProblem[]): string {
  if (problems.length === 0) return 'Nothing is wrong with this bundle.\n';
  return `${problems
    .map(
      ({ severity, pointer, rule, message }) =>
        `${severity}  ${forTerminal(pointer)}  ${rule}: ${forTerminal(message)}`,
    )
    .join('\n')}\n`;
}
