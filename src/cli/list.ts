import { Command } from 'commander';
import type { CheckDefinition } from '../checks/catalogue.js';
import { forTerminal } from '../report/escape.js';
import type { LocatedScenario } from '../transcript/locate-scenario.js';
import type { CliContext } from './context.js';
import { examples } from './help.js';
import { locatedScenarios } from '../transcript/located-scenarios.js';
import { append } from './repeatable.js';

/** `list`: the scenarios and the checks, each with the requirement it rests on. */
export function defineList(context: CliContext): Command {
  return new Command('list')
    .description('Lists scenarios and checks with the requirement that each rests on.')
    .argument('[what]', 'scenarios, checks, or both')
    .option(
      '--scenarios <path>',
      'a scenario or a folder of them (repeatable; default: the bundled ones)',
      append,
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', EXAMPLES)
    .action(async (what: string | undefined, options: ListOptions, command: Command) => {
      if (what !== undefined && what !== 'scenarios' && what !== 'checks') {
        command.error(`error: list takes scenarios or checks, found ${JSON.stringify(what)}`);
      }
      const scenarios = what === 'checks' ? undefined : await locatedScenarios(options.scenarios);
      const checks = what === 'scenarios' ? undefined : await allChecks();
      context.stdout(options.json ? asJson(scenarios, checks) : asText(scenarios, checks));
      context.finish(0);
    });
}

interface ListOptions {
  readonly scenarios?: readonly string[];
  readonly json?: boolean;
}

const EXAMPLES = examples(
  ['list', 'everything'],
  ['list checks', 'the check catalogue; explain tells more about each'],
  ['list scenarios --scenarios my/scenarios --json', 'your own scenarios, for a program'],
);

async function allChecks(): Promise<readonly CheckDefinition[]> {
  const { CATALOGUE } = await import('../checks/catalogue.js');
  return [...CATALOGUE.values()];
}

function asText(
  scenarios: readonly LocatedScenario[] | undefined,
  checks: readonly CheckDefinition[] | undefined,
): string {
  const sections = [
    scenarios && [
      'Scenarios',
      ...rows(
        scenarios.map(({ id, manifest }) => [
          id,
          manifest?.conformance?.title ?? '',
          manifest?.conformance?.requirement ?? '',
        ]),
      ),
    ],
    checks && [
      'Checks',
      ...rows(
        checks.map(({ id, severity, requirement, source }) => [id, severity, `${requirement} (${source})`]),
      ),
    ],
  ];
  return sections.flatMap((lines) => (lines ? [`${lines.join('\n')}\n`] : [])).join('\n');
}

/** Columns as wide as their widest cell, the last one free. */
function rows(cells: readonly (readonly [string, string, string])[]): string[] {
  const shown = cells.map((row) => row.map(forTerminal));
  const width = (column: number) => Math.max(0, ...shown.map((row) => row[column]?.length ?? 0));
  const [first, second] = [width(0), width(1)];
  return shown.map(([a = '', b = '', c = '']) => `  ${a.padEnd(first)}  ${b.padEnd(second)}  ${c}`.trimEnd());
}

function asJson(
  scenarios: readonly LocatedScenario[] | undefined,
  checks: readonly CheckDefinition[] | undefined,
): string {
  const listed = {
    ...(scenarios && {
      scenarios: scenarios.map(({ id, folder, manifest }) => ({
        id,
        folder,
        title: manifest?.conformance?.title ?? null,
        requirement: manifest?.conformance?.requirement ?? null,
        provenance: manifest?.provenance ?? null,
      })),
    }),
    ...(checks && {
      checks: checks.map(({ id, severity, title, requirement, source }) => ({
        id,
        severity,
        title,
        requirement,
        source,
      })),
    }),
  };
  return `${JSON.stringify(listed, null, 2)}\n`;
}
