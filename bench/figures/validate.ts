import { join } from 'node:path';
import { compare } from '../compare.js';
import { atMost, type Benchmark } from '../figure.js';
import { usageOf, wallTime } from '../node-process.js';
import { BUNDLE, CLI, program, withFolder } from '../paths.js';
import { writeTurns } from '../transcripts.js';

const FRAMES = 200_000;
const MIB = 1024 * 1024;

export const validateSpeed: Benchmark = {
  key: 'validate',
  figures: [{ name: 'validate 200,000 frames / JSON.parse and the same validators', bar: atMost(1.25) }],
  measure: ({ runs }) =>
    withFolder(async (folder) => {
      const transcript = join(folder, 'turns.ndjson');
      await writeTurns(transcript, { frames: FRAMES });
      const { ratio, subject, base } = await compare(
        runs,
        () => wallTime([CLI, 'validate', transcript]),
        () => wallTime([program('bare-validate'), BUNDLE, transcript]),
      );
      return [{ value: ratio, detail: `${subject.toFixed(0)} ms, ${base.toFixed(0)} ms` }];
    }),
};

/** Peaks differ by what the collector has got round to; the shape over sizes shows whether anything is kept. */
export const validateMemory: Benchmark = {
  key: 'memory',
  figures: [
    { name: 'peak memory of validate on a 1 GiB transcript, in MiB', bar: atMost(150) },
    { name: 'the same / peak memory on a 64 MiB transcript', bar: atMost(1.1) },
  ],
  measure: () =>
    withFolder(async (folder) => {
      const small = await peakMiB(join(folder, 'small.ndjson'), 64 * MIB);
      const large = await peakMiB(join(folder, 'large.ndjson'), 1024 * MIB);
      return [
        { value: large, detail: `${large.toFixed(0)} MiB` },
        { value: large / small, detail: `${small.toFixed(0)} MiB at 64 MiB` },
      ];
    }),
};

async function peakMiB(transcript: string, bytes: number): Promise<number> {
  await writeTurns(transcript, { bytes });
  const { peakBytes } = await usageOf([CLI, 'validate', transcript]);
  return peakBytes / MIB;
}
