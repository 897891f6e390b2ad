import { cp, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { findScenarios } from '../../src/transcript/find-scenarios.js';
import { compare, median } from '../compare.js';
import { atMost, type Benchmark } from '../figure.js';
import { usageOf, wallTime } from '../node-process.js';
import { CLI, ROOT, withFolder } from '../paths.js';
import { scenarioWords } from './start-up.js';

/** Two workers share the two cores with the servers that they drive. */
export const workers: Benchmark = {
  key: 'workers',
  figures: [{ name: 'whole suite with two workers / with one', bar: atMost(0.6) }],
  measure: async (settings) => {
    const { ratio, subject, base } = await compare(
      settings.runs,
      () => wallTime(suite('--workers', '2', ...scenarioWords(settings))),
      () => wallTime(suite('--workers', '1', ...scenarioWords(settings))),
    );
    return [{ value: ratio, detail: `${seconds(subject)}, ${seconds(base)}` }];
  },
};

/** Processor time is told apart by the harness itself, which knows its own and that of the children it waited for. */
export const cpu: Benchmark = {
  key: 'cpu',
  figures: [{ name: 'processor time of the harness / of the servers that it drove', bar: atMost(0.5) }],
  measure: async (settings) => {
    const usages = [];
    for (let run = 0; run < settings.runs; run += 1)
      usages.push(await usageOf(suite(...scenarioWords(settings))));
    const own = median(usages.map(({ cpuMs }) => cpuMs));
    const servers = usages.map(({ childrenCpuMs }) => childrenCpuMs).filter((ms) => ms !== undefined);
    if (servers.length === 0) return [{ value: undefined, detail: 'needs /proc' }];
    const ratios = usages.map(({ cpuMs, childrenCpuMs = 0 }) => cpuMs / childrenCpuMs);
    return [{ value: median(ratios), detail: `${seconds(own)}, ${seconds(median(servers))}` }];
  },
};

const FEW = 25;
const MANY = 200;

/** The recordings alone: the derived replays cost the same for each copy, and many times as much. */
export const growth: Benchmark = {
  key: 'growth',
  figures: [{ name: 'time of 200 scenarios / eight times that of 25', bar: atMost(1.1) }],
  measure: ({ runs, scenarios }) =>
    withFolder(async (folder) => {
      const folders = await findScenarios([scenarios ?? join(ROOT, 'scenarios')]);
      for (let copy = 0; copy < MANY; copy += 1) {
        const source = folders[(copy % FEW) % folders.length];
        if (source === undefined) return [{ value: undefined, detail: 'no scenarios' }];
        const name = `copy-${copy}-of-${basename(source)}`;
        if (copy < FEW) await copyScenario(source, join(folder, 'few', name), name);
        await copyScenario(source, join(folder, 'many', name), name);
      }
      const { ratio, subject, base } = await compare(
        runs,
        () => wallTime(suite('--passes', 'none', '--scenarios', join(folder, 'many'))),
        () => wallTime(suite('--passes', 'none', '--scenarios', join(folder, 'few'))),
      );
      return [{ value: ratio / (MANY / FEW), detail: `${seconds(subject)}, ${seconds(base)}` }];
    }),
};

async function copyScenario(source: string, target: string, name: string): Promise<void> {
  await cp(source, target, { recursive: true });
  const file = join(target, 'manifest.json');
  const manifest = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  await writeFile(file, JSON.stringify({ ...manifest, scenario: name }));
}

function suite(...words: readonly string[]): readonly string[] {
  return [CLI, 'run', '--quiet', ...words];
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(2)} s`;
}
