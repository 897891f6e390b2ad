import { Command } from 'commander';
import type { CheckDefinition } from '../checks/catalogue.js';
import { forTerminal } from '../report/escape.js';
import { nearestInFamilies } from '../report/nearest.js';
import { paragraph } from '../report/paragraph.js';
import type { LocatedScenario } from '../transcript/locate-scenario.js';
import { locatedScenarios } from '../transcript/located-scenarios.js';
import type { CliContext } from './context.js';
import { UsageError } from './errors.js';
import { examples } from './help.js';

import { append } from './repeatable.js';

/** `explain`: what a check demands, where from, what servers get wrong and how to see it; or what a scenario shows. */
export function defineExplain(context: CliContext): Command {
  return new Command('explain')
    .description('Explains a check or a scenario.')
    .argument('<id>', 'a check, as in idempotency/conflict-rejected, or a scenario')
    .option(
      '--scenarios <path>',
      'where to look for scenarios (repeatable; default: the bundled ones)',
      append,
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', EXAMPLES)
    .action(async (id: string, options: ExplainOptions) => {
      const { CATALOGUE } = await import('../checks/catalogue.js');
      const check = CATALOGUE.get(id);
      // Only check ids hold a slash.
      const scenarios = id.includes('/') ? [] : await locatedScenarios(options.scenarios);
      const scenario = scenarios.find((each) => each.id === id);
      const found = check ?? scenario;
      if (found === undefined)
        throw unknownId(id, [...CATALOGUE.keys(), ...scenarios.map((each) => each.id)]);
      if (options.json) context.stdout(`${JSON.stringify(found, null, 2)}\n`);
      else
        context.stdout(
          check
            ? checkText(check, await faultFor(check.id), context.width)
            : scenarioText(found as LocatedScenario, context.width),
        );
      context.finish(0);
    });
}

interface ExplainOptions {
  readonly scenarios?: readonly string[];
  readonly json?: boolean;
}

const EXAMPLES = examples(
  ['explain idempotency/conflict-rejected', 'what a failed check demands, and what usually causes it'],
  ['list', 'every id that can be explained'],
);

function unknownId(id: string, ids: readonly string[]): UsageError {
  const close = nearestInFamilies(id, ids);
  const hint = close === undefined ? 'msp-conformance list shows them all.' : `Did you mean ${close}?`;
  return new UsageError(`There is no check and no scenario ${JSON.stringify(id)}. ${hint}`);
}

/** A deliberate fault of the reference server that breaks the rule. */
async function faultFor(checkId: string): Promise<string | undefined> {
  const { FAULTS } = await import('../reference/faults/table.js');
  return FAULTS.find(({ caughtBy: [first] }) => first === checkId)?.name;
}

function checkText(check: CheckDefinition, fault: string | undefined, width: number): string {
  return [
    `${check.id}  (${check.severity})`,
    ...section('', check.title, width),
    ...section('What is demanded', check.requirement, width),
    ...section('Where from', check.source, width),
    ...section('Why', check.explanation, width),
    ...section('What servers get wrong', check.typicalMistake, width),
    ...section('How to see it', check.howToSee, width),
    ...commandLine('Try it', `msp-conformance run --only '*:${check.id}' -- <your server>`),
    ...(fault === undefined
      ? []
      : commandLine(
          'See it fail',
          `msp-conformance run --only '*:${check.id}' -- msp-conformance serve --fault ${fault}`,
        )),
    '',
  ].join('\n');
}

function scenarioText({ id, folder, transcriptPath, manifest }: LocatedScenario, width: number): string {
  const conformance = manifest?.conformance;
  const requires = Object.entries(conformance?.requires ?? {}).map(
    ([name, value]) => `${name}: ${[value].flat().join(', ')}`,
  );
  const behaviours = [...new Set(Object.values(conformance?.behaviours ?? {}))];
  return [
    forTerminal(id),
    ...section('', conformance?.title ?? '', width),
    ...section('What it shows', conformance?.requirement ?? '', width),
    ...section(
      'Needs of the target',
      [...requires, ...behaviours.map((name) => `behaviour ${name}`)].join('; '),
      width,
    ),
    ...section('Passes', conformance?.passes?.join(', ') ?? 'all that apply', width),
    ...section('Provenance', manifest?.provenance ?? '', width),
    ...section('Files', transcriptPath === '' ? folder : transcriptPath, width),
    ...commandLine('Try it', `msp-conformance run --only '${id}' -- <your server>`),
    '',
  ].join('\n');
}

function section(title: string, text: string, width: number): string[] {
  if (text === '') return [];
  return ['', ...(title === '' ? [] : [title]), ...paragraph(text, width - 2).map((line) => `  ${line}`)];
}

/** Whole, however wide, so that it can be copied. */
function commandLine(title: string, line: string): string[] {
  return ['', title, `  $ ${forTerminal(line)}`];
}
