import { parseArgs } from 'node:util';
import { type Benchmark, type Figure, figureOf, type Measured, type Settings } from './figure.js';
import { journal } from './figures/journal.js';
import { proxy } from './figures/proxy.js';
import { replay } from './figures/replay.js';
import { list, version } from './figures/start-up.js';
import { cpu, growth, workers } from './figures/suite.js';
import { validateMemory, validateSpeed } from './figures/validate.js';
import { machine } from './machine.js';
import { exitOnSignals } from './signals.js';

const BENCHMARKS: readonly Benchmark[] = [
  replay,
  validateSpeed,
  validateMemory,
  version,
  list,
  workers,
  cpu,
  journal,
  growth,
  proxy,
];

const USAGE = `npm run bench -- [--json] [--only NAME]... [--runs N] [--scenarios PATH]
  --only NAME       only this measurement (repeatable): ${BENCHMARKS.map(({ key }) => key).join(', ')}
  --runs N          measurements of each side, of which the median counts (default 5)
  --scenarios PATH  the suite to measure (default: the bundled one)
  --json            one JSON object and nothing else
`;

/** Measures what the options ask for, prints it, and gives the exit code: 1 when a bar is missed. */
async function main(): Promise<number> {
  const { json, only, runs, scenarios } = options();
  const chosen = BENCHMARKS.filter(({ key }) => only === undefined || only.includes(key));
  if (chosen.length === 0 || !(runs >= 1)) {
    process.stderr.write(USAGE);
    return 2;
  }
  const described = machine();
  const figures: Figure[] = [];
  if (!json)
    process.stdout.write(
      `${described}\n\n| figure | measured | bar | met | absolute |\n|---|---|---|---|---|\n`,
    );
  for (const benchmark of chosen) {
    const measured = await measure(benchmark, { runs, scenarios });
    for (const [index, figure] of benchmark.figures.entries()) {
      const found = measured[index] ?? { value: undefined, detail: 'not measured' };
      figures.push(figureOf(figure, found));
      if (!json) process.stdout.write(`${row(figureOf(figure, found), figure.bar.sense, found.detail)}\n`);
    }
  }
  if (json) process.stdout.write(`${JSON.stringify({ machine: described, figures })}\n`);
  return figures.every(({ met }) => met) ? 0 : 1;
}

/** What cannot be measured is a missed bar that says why; the others are still measured. */
async function measure(benchmark: Benchmark, settings: Settings): Promise<readonly Measured[]> {
  try {
    return await benchmark.measure(settings);
  } catch (error) {
    const detail = error instanceof Error ? (error.message.split('\n').at(-1) ?? '') : String(error);
    process.stderr.write(`${benchmark.key}: ${error instanceof Error ? error.message : error}\n`);
    return benchmark.figures.map(() => ({ value: undefined, detail }));
  }
}

function row({ name, value, bar, met }: Figure, sense: 'atMost' | 'atLeast', detail: string): string {
  return `| ${name} | ${value ?? 'none'} | ${sense === 'atMost' ? '≤' : '≥'} ${bar} | ${met ? 'yes' : 'NO'} | ${detail} |`;
}

function options() {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true },
      runs: { type: 'string', default: '5' },
      scenarios: { type: 'string' },
    },
  });
  return { json: values.json, only: values.only, runs: Number(values.runs), scenarios: values.scenarios };
}

exitOnSignals();
process.exitCode = await main();
