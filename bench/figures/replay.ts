import { join } from 'node:path';
import { type Comparison, compare } from '../compare.js';
import { atMost, type Benchmark } from '../figure.js';
import { wallTime } from '../node-process.js';
import { CLI, program, withFolder } from '../paths.js';
import { recordExchanges } from '../recorded-exchanges.js';
import { openingResults, writeExchanges } from '../transcripts.js';

const EXCHANGES = 10_000;

/**
 * Both sides start the reference server on empty state, send it the same 10,000 commands, each of which it makes
 * durable before it answers, and wait for each answer before they send the next. The harness mints ids, checks and
 * compares besides. With a server that only echoes there is no work to hide that behind; the detail tells what then
 * remains, without a bar.
 */
export const replay: Benchmark = {
  key: 'replay',
  figures: [
    { name: 'replay of 10,000 exchanges / the same bytes written, answers counted', bar: atMost(1.15) },
  ],
  measure: ({ runs }) =>
    withFolder(async (folder) => {
      const real = join(folder, 'exchanges');
      let states = 0;
      const reference = () => [process.execPath, CLI, 'serve', '--state', join(folder, `state-${states++}`)];
      await recordExchanges(real, EXCHANGES, reference());
      const echoed = join(folder, 'echoed');
      await writeExchanges(echoed, EXCHANGES);
      const echo = [process.execPath, program('echo-server'), JSON.stringify(openingResults())];
      const { ratio, subject, base } = await compareReplays(runs, real, reference);
      const bound = await compareReplays(runs, echoed, () => echo);
      return [
        {
          value: ratio,
          detail: `${ms(subject)}, ${ms(base)}; with an echo server ${bound.ratio.toFixed(2)}: ${ms(bound.subject)}, ${ms(bound.base)}`,
        },
      ];
    }),
};

function compareReplays(
  runs: number,
  scenario: string,
  server: () => readonly string[],
): Promise<Comparison> {
  return compare(
    runs,
    () => wallTime([CLI, 'run', '--passes', 'none', '--scenarios', scenario, '--', ...server()]),
    () => wallTime([program('bare-driver'), join(scenario, 'transcript.ndjson'), ...server()]),
  );
}

function ms(value: number): string {
  return `${value.toFixed(0)} ms`;
}
