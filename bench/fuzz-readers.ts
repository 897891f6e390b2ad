import { randomInt } from 'node:crypto';
import { randomFrom } from './mutate.js';
import { fuzzReaders } from './reader-fuzz.js';

/**
 * Gives damaged inputs (200,000 unless the first argument says how many) to everything that reads foreign bytes. The
 * second argument is the seed, to repeat an earlier run. Ends with 1 at the first input that is neither read nor refused.
 */
async function fuzz(inputs: number, seed: number): Promise<void> {
  const counts = await fuzzReaders(inputs, randomFrom(seed), seed);
  console.log(`${inputs} inputs, all read or refused (seed ${seed})`);
  for (const [name, count] of counts) console.log(`  ${name} ${count}`);
}

await fuzz(Number(process.argv[2] ?? 200_000), Number(process.argv[3] ?? randomInt(2 ** 31)));
