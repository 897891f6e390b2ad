import { compare } from '../compare.js';
import { atMost, type Benchmark, type Settings } from '../figure.js';
import { wallTime } from '../node-process.js';
import { CLI } from '../paths.js';

/** Starts are short and noisy, and cheap to repeat. */
const ROUNDS_PER_RUN = 4;

export const version: Benchmark = {
  key: 'version',
  figures: [{ name: 'msp-conformance --version / node -e 0', bar: atMost(1.4) }],
  measure: (settings) => startUp(['--version'], settings),
};

export const list: Benchmark = {
  key: 'list',
  figures: [{ name: 'msp-conformance list / node -e 0', bar: atMost(2.5) }],
  measure: (settings) => startUp(['list', ...scenarioWords(settings)], settings),
};

async function startUp(words: readonly string[], { runs }: Settings) {
  const { ratio, subject, base } = await compare(
    runs * ROUNDS_PER_RUN,
    () => wallTime([CLI, ...words]),
    () => wallTime(['-e', '0']),
  );
  return [{ value: ratio, detail: `${subject.toFixed(0)} ms, ${base.toFixed(0)} ms` }];
}

/** The words that select the suite to measure. */
export function scenarioWords({ scenarios }: Settings): readonly string[] {
  return scenarios === undefined ? [] : ['--scenarios', scenarios];
}
