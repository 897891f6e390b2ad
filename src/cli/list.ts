import { Command } from 'commander';
import type { CheckDefinition } from '../checks/catalogue.js';
import { forTerminal } from '../report/escape.js';
import { nearest } from '../report/nearest.js';
import type { LocatedScenario } from '../transcript/locate-scenario.js';
import { locatedScenarios } from '../transcript/located-scenarios.js';
import type { BundleCoverage, ExercisedScenario } from './bundle-coverage.js';
import type { CliContext } from './context.js';
import { UsageError } from './errors.js';
import { examples } from './help.js';
import { append } from './repeatable.js';

/** `list`: the scenarios and the checks, each with the requirement it rests on. */
export function defineList(context: CliContext): Command {
  return new Command('list')
    .description('Lists scenarios and checks with the requirement that each rests on.')
    .argument('[what]', 'scenarios, checks, or both; or the faults of the reference server')
    .option(
      '--scenarios <path>',
      'a scenario or a folder of them (repeatable; default: the bundled ones)',
      append,
    )
    .option('--only <glob>', 'only these scenarios (repeatable)', append)
    .option('--skip <glob>', 'not these scenarios (repeatable)', append)
    .option('--coverage', 'what of the protocol bundle the scenarios exercise, and what they leave out')
    .option('--schema <file>', 'with --coverage: the protocol bundle (default: the bundled one)')
    .option('--json', 'print one JSON object')
    .addHelpText('after', EXAMPLES)
    .action(async (what: string | undefined, options: ListOptions) => {
      if (what !== undefined && !KINDS.includes(what)) throw unknownKind(what);
      if (what === 'faults') {
        context.stdout(await faults(options.json ?? false));
        return context.finish(0);
      }
      if (options.coverage) {
        const coverage = await coverageOf(await chosen(options), options.schema);
        const { coverageText } = await import('./coverage-text.js');
        context.stdout(
          options.json ? `${JSON.stringify(coverage, null, 2)}\n` : coverageText(coverage, context.width),
        );
        return context.finish(0);
      }
      const scenarios = what === 'checks' ? undefined : await chosen(options);
      const checks = what === 'scenarios' ? undefined : await allChecks();
      context.stdout(options.json ? asJson(scenarios, checks) : asText(scenarios, checks));
      context.finish(0);
    });
}

const KINDS: readonly string[] = ['scenarios', 'checks', 'faults'];

interface ListOptions {
  readonly scenarios?: readonly string[];
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly coverage?: boolean;
  readonly schema?: string;
  readonly json?: boolean;
}

const EXAMPLES = examples(
  ['list', 'everything'],
  ['list checks', 'the check catalogue; explain tells more about each'],
  ['list scenarios --scenarios my/scenarios --json', 'your own scenarios, for a program'],
  ['list faults', 'what serve --fault can break on purpose, and the checks that see it'],
  ['list --coverage', 'which methods, notifications and error kinds the bundled scenarios exercise'],
);

function unknownKind(what: string): UsageError {
  const close = nearest(what, KINDS);
  const hint = close === undefined ? `To see one of them, explain ${what}.` : `Did you mean ${close}?`;
  return new UsageError(`list takes ${KINDS.join(', ')}, found ${JSON.stringify(what)}. ${hint}`);
}

async function chosen({ scenarios, only, skip }: ListOptions): Promise<readonly LocatedScenario[]> {
  const located = await locatedScenarios(scenarios);
  if (only === undefined && skip === undefined) return located;
  const { compilePattern } = await import('../report/pattern.js');
  const { selected } = await import('../run/select-scenarios.js');
  const selection = { only: (only ?? []).map(compilePattern), skip: (skip ?? []).map(compilePattern) };
  return selected(located, selection);
}

async function coverageOf(
  scenarios: readonly LocatedScenario[],
  schema: string | undefined,
): Promise<BundleCoverage> {
  const { bundledSchemaPath, loadBundle } = await import('../schema/load-bundle.js');
  const { exercisedBy } = await import('../transcript/exercised.js');
  const { bundleCoverage } = await import('./bundle-coverage.js');
  const exercised: ExercisedScenario[] = [];
  for (const scenario of scenarios) exercised.push([scenario, await exercisedBy(scenario.transcriptPath)]);
  return bundleCoverage(await loadBundle(schema ?? bundledSchemaPath()), exercised);
}

async function allChecks(): Promise<readonly CheckDefinition[]> {
  const { CATALOGUE } = await import('../checks/catalogue.js');
  return [...CATALOGUE.values()];
}

/** The deliberate faults of the reference server. */
async function faults(json: boolean): Promise<string> {
  const { FAULTS } = await import('../reference/faults/table.js');
  const listed = FAULTS.map(({ name, breaks, caughtBy }) => ({ name, breaks, caughtBy }));
  if (json) return `${JSON.stringify({ faults: listed }, null, 2)}\n`;
  const cells = listed.map(({ name, breaks, caughtBy }) => [name, caughtBy.join(', '), breaks] as const);
  return `${['Faults', ...rows(cells)].join('\n')}\n`;
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
