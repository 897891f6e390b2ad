import { Chalk } from 'chalk';
import { CATALOGUE } from '../checks/catalogue.js';
import type { Fault } from '../reference/faults.js';
import { forTerminal } from '../report/escape.js';
import type { CheckResult } from '../report/model.js';
import type { FaultTrial } from './fault-trial.js';
import type { HonestTrial } from './honest-trial.js';
import type { SelftestOutcome } from './selftest.js';

/** The families of checks: the columns of the matrix. */
const FAMILIES = [...new Set([...CATALOGUE.keys()].map((id) => id.split('/')[0] ?? id))];

/** Faults × checks for a person: which family saw each fault, the check that had to, and the total. */
export function killMatrix(
  outcome: SelftestOutcome,
  expected: readonly Fault[],
  colorLevel: 0 | 1 | 2 | 3,
): string {
  const chalk = new Chalk({ level: colorLevel });
  const width = Math.max(...expected.map(({ name }) => name.length), 'fault'.length);
  const header = `${' '.repeat(width + 10)}${FAMILIES.map((family) => family.slice(0, 4).padEnd(5)).join('')} caught by`;
  const rows = outcome.faults.map((trial) => {
    const state = trial.isCaught ? chalk.green('caught  ') : chalk.red('SURVIVED');
    const marks = FAMILIES.map((family) => markOf(family, trial).padEnd(5)).join('');
    return `${trial.fault.name.padEnd(width)}  ${state}${marks} ${trial.fault.caughtBy.join(', ')}`;
  });
  const survivors = outcome.faults.filter(({ isCaught }) => !isCaught).map(survivorText);
  const alarms = outcome.honest.flatMap(alarmTexts);
  return [header, ...rows, '', ...survivors, ...alarms, totalLine(outcome, expected), ''].join('\n');
}

/** `64/64 faults caught, 0 false alarms`. */
export function totalLine(
  { honest, faults, durationMs }: SelftestOutcome,
  expected: readonly Fault[],
): string {
  const caught = faults.filter(({ isCaught }) => isCaught).length;
  const alarms = honest.reduce((sum, trial) => sum + trial.alarms.length, 0);
  const scenarios = `${honest.length} scenario${honest.length === 1 ? '' : 's'}`;
  return (
    `${caught}/${expected.length} faults caught, ${alarms} false alarm${alarms === 1 ? '' : 's'} ` +
    `(honest server: ${scenarios}; ${(durationMs / 1000).toFixed(1)} s)`
  );
}

/** `X` for a check that had to see the fault, `x` for one that saw it as well. */
function markOf(family: string, { fault, complaints }: FaultTrial): string {
  const seen = complaints.filter(({ id }) => id.startsWith(`${family}/`));
  if (seen.some(({ id }) => fault.caughtBy.includes(id))) return fault.warnsOnly ? 'w' : 'X';
  return seen.length > 0 ? 'x' : '.';
}

function survivorText({ fault, complaints, obstacle }: FaultTrial): string {
  const missed = fault.caughtBy.filter((id) => !complaints.some((check) => check.id === id));
  const seen = complaints.map(({ id }) => id).join(', ') || 'nothing';
  const why = obstacle === undefined ? '' : `\n  ${forTerminal(obstacle)}`;
  return (
    `${fault.name} survived: ${fault.breaks}\n` +
    `  ${missed.join(', ')} did not ${fault.warnsOnly ? 'warn' : 'fail'} in ${fault.shownBy.scenarios.join(', ')}` +
    ` with the passes ${fault.shownBy.passes.join(', ') || 'none'}; what did: ${seen}${why}\n`
  );
}

function alarmTexts({ scenario, alarms, obstacle }: HonestTrial): string[] {
  const accusations = alarms.map(
    ({ id, status, pass, message }: CheckResult) =>
      `false alarm: ${scenario} ${id} (${pass}, ${status}): ${forTerminal(message)}\n`,
  );
  return obstacle === undefined
    ? accusations
    : [...accusations, `the honest server did not come through ${scenario}: ${forTerminal(obstacle)}\n`];
}

/** The same for a program. */
export function killMatrixJson(outcome: SelftestOutcome, expected: readonly Fault[]): string {
  const caught = outcome.faults.filter(({ isCaught }) => isCaught).length;
  const value = {
    formatVersion: 1,
    totals: {
      faults: expected.length,
      caught,
      falseAlarms: outcome.honest.reduce((sum, { alarms }) => sum + alarms.length, 0),
    },
    durationMs: outcome.durationMs,
    faults: outcome.faults.map(({ fault, isCaught, complaints, obstacle, durationMs }) => ({
      name: fault.name,
      breaks: fault.breaks,
      caughtBy: fault.caughtBy,
      warnsOnly: fault.warnsOnly === true,
      isCaught,
      complaints: complaints.map(({ id, status, pass, message }) => ({ id, status, pass, message })),
      ...(obstacle !== undefined && { obstacle }),
      durationMs,
    })),
    honest: outcome.honest.map(({ scenario, alarms, obstacle, durationMs }) => ({
      scenario,
      alarms: alarms.map(({ id, status, pass, message }) => ({ id, status, pass, message })),
      ...(obstacle !== undefined && { obstacle }),
      durationMs,
    })),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}
