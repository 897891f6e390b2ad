import { FAULTS } from '../reference/faults/table.js';
import type { Fault } from '../reference/faults.js';
import { bundledSchemaPath, loadBundle } from '../schema/load-bundle.js';
import { killMatrix, killMatrixJson } from '../selftest/kill-matrix.js';
import type { Laboratory } from '../selftest/laboratory.js';
import { isProven, selftest } from '../selftest/selftest.js';
import { locatedScenarios } from '../transcript/located-scenarios.js';
import { bundledServer } from './bundled-server.js';
import type { CliContext } from './context.js';
import { UsageError } from './errors.js';
import { ExitCode } from './exit-codes.js';
import { interruptible } from './interrupt.js';
import { type ProgressScreen, stderrScreen } from './progress.js';
import type { SelftestCommandOptions } from './selftest-options.js';
import { unknownFault } from './unknown-fault.js';

/** Tries the suite on the faults, prints the kill matrix, and gives the exit code: 1 when one survived. */
export async function selftestCommand(options: SelftestCommandOptions, context: CliContext): Promise<number> {
  const faults = chosen(options.only);
  if (options.list) {
    context.stdout(
      options.json ? `${JSON.stringify(faults.map(entry), null, 2)}\n` : faults.map(listed).join('\n'),
    );
    return ExitCode.conformant;
  }
  const laboratory = await makeLaboratory(faults, options.scenarios);
  const progress = progressOn(stderrScreen(context.env));
  const { outcome, interruptedBy } = await interruptible((signal) =>
    selftest({ faults, laboratory, workers: options.workers, signal, tried: () => progress.count() }),
  );
  progress.end();
  context.stdout(
    options.json ? killMatrixJson(outcome, faults) : killMatrix(outcome, faults, context.colorLevel),
  );
  if (options.only && !options.json) {
    for (const { complaints } of outcome.faults) {
      for (const { id, message } of complaints) context.stdout(`${id}: ${message.split('\n', 1)[0]}\n`);
    }
  }
  if (interruptedBy !== undefined) {
    return interruptedBy === 'SIGINT' ? ExitCode.interrupted : ExitCode.terminated;
  }
  return isProven(outcome, faults) ? ExitCode.conformant : ExitCode.violation;
}

/** One line that counts, at a terminal. */
function progressOn({ isTerminal, write }: ProgressScreen) {
  let tried = 0;
  return {
    count: () => {
      tried += 1;
      if (isTerminal) write(`\r${tried} servers tried\u001b[K`);
    },
    end: () => {
      if (isTerminal) write('\r\u001b[K');
    },
  };
}

function chosen(names: readonly string[] | undefined): readonly Fault[] {
  if (names === undefined) return FAULTS;
  for (const name of names) {
    if (FAULTS.some((fault) => fault.name === name)) continue;
    throw unknownFault(name);
  }
  return FAULTS.filter(({ name }) => names.includes(name));
}

async function makeLaboratory(
  faults: readonly Fault[],
  paths: readonly string[] | undefined,
): Promise<Laboratory> {
  const located = new Map((await locatedScenarios(paths)).map((scenario) => [scenario.id, scenario.folder]));
  for (const { name, shownBy } of faults) {
    const missing = shownBy.scenarios.find((id) => !located.has(id));
    if (missing !== undefined)
      throw new UsageError(`The fault ${name} is shown by the scenario ${missing}, which is not there.`);
  }
  return {
    bundle: await loadBundle(bundledSchemaPath()),
    server: bundledServer().command,
    seed: SEED,
    pathOf: (id) => located.get(id) ?? id,
  };
}

/** The same moments of the kills at every selftest. */
const SEED = 1;

function entry({ name, breaks, caughtBy, warnsOnly, shownBy }: Fault) {
  return { name, breaks, caughtBy, warnsOnly: warnsOnly === true, shownBy };
}

function listed({ name, breaks, caughtBy, warnsOnly }: Fault): string {
  return `${name}\n  breaks: ${breaks}\n  ${warnsOnly ? 'warned of' : 'caught'} by: ${caughtBy.join(', ')}\n`;
}
