import { join } from 'node:path';
import { compare } from '../compare.js';
import { atMost, type Benchmark } from '../figure.js';
import { wallTime } from '../node-process.js';
import { CLI, program, withFolder } from '../paths.js';
import { openingResults, writeExchanges } from '../transcripts.js';

const EXCHANGES = 10_000;

/**
 * Both sides start the same server and wait for each answer before they send the next request. The harness mints
 * ids, checks and compares besides.
 */
export const replay: Benchmark = {
  key: 'replay',
  figures: [
    { name: 'replay of 10,000 exchanges / the same bytes written, answers counted', bar: atMost(1.15) },
  ],
  measure: ({ runs }) =>
    withFolder(async (folder) => {
      const scenario = join(folder, 'exchanges');
      await writeExchanges(scenario, EXCHANGES);
      const server = [process.execPath, program('echo-server'), JSON.stringify(openingResults())];
      const { ratio, subject, base } = await compare(
        runs,
        () => wallTime([CLI, 'run', '--passes', 'none', '--scenarios', scenario, '--', ...server]),
        () => wallTime([program('bare-driver'), join(scenario, 'transcript.ndjson'), ...server]),
      );
      return [{ value: ratio, detail: `${subject.toFixed(0)} ms, ${base.toFixed(0)} ms` }];
    }),
};
