import { journalProperties } from './journal-properties.js';

/**
 * Tries the journal's properties on new cases, in turn, until stopped or until the seconds given as the only
 * argument are over. A counterexample is printed with its seed and ends the process with 1.
 */
async function fuzz(seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000;
  let stopped = false;
  process.once('SIGINT', () => {
    stopped = true;
  });
  let seed = Date.now() | 0;
  let cases = 0;
  while (!stopped && performance.now() < end) {
    for (const { cases: numRuns, check } of journalProperties) {
      await check({ numRuns, seed });
      cases += numRuns;
    }
    console.log(`${cases} cases, none failed (last seed ${seed})`);
    seed = (seed + 1) | 0;
  }
}

await fuzz(Number(process.argv[2] ?? Number.POSITIVE_INFINITY));
