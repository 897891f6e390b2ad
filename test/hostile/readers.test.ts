import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../bench/mutate.js';
import { fuzzReaders } from '../../bench/reader-fuzz.js';
import { loadScenario } from '../../src/transcript/load-scenario.js';
import { hostileScenario, inFolder } from './command-line.js';

const SEED = 20_260_807;

describe('whatever is read from others', () => {
  it('is read or refused, however it is damaged', async () => {
    const counts = await fuzzReaders(3_000, randomFrom(SEED), SEED);
    expect(Math.min(...counts.values())).toBeGreaterThan(0);
  });

  it('is read up to where it ends, or refused with its place, wherever a transcript is cut off', () =>
    inFolder(async (folder) => {
      const whole = await readFile(join(hostileScenario('models'), 'transcript.ndjson'));
      const file = join(folder, 'cut.ndjson');
      const sound = whole.toString().split('\n').length - 1;
      for (let length = 0; length <= whole.length; length += 1) {
        const cut = whole.subarray(0, length);
        await writeFile(file, cut);
        const outcome = await loadScenario(file).then(
          ({ steps }) => steps.length,
          (error: Error) => `${error.name} ${error.message}`,
        );
        const complete = cut.toString().split('\n').length - 1;
        const isWhole = whole[length - 1] === LF || whole[length] === LF;
        if (length > 0 && isWhole)
          expect(outcome).toBe(Math.min(sound, whole[length - 1] === LF ? complete : complete + 1));
        else expect(outcome).toMatch(new RegExp(`^InputError .*cut\\.ndjson:${complete + 1}:\\d+: `));
      }
    }));
});

const LF = 10;
