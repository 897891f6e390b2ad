import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from '../src/reference/journal/index.js';

export interface AppendRates {
  /** Acknowledged appends a second with 64 in flight. */
  readonly journal: number;
  /** The same records by a bare loop: one write of 64 lines and one sync. */
  readonly bare: number;
  /** `journal / bare`, the median of rounds that alternate so that both meet the same disk. */
  readonly ratio: number;
}

const IN_FLIGHT = 64;
const GROUPS = 100;
const ROUNDS = 7;

/** Measures the journal's acknowledged appends against a bare write and sync loop on the same disk. */
export async function measureAppends(): Promise<AppendRates> {
  const folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  try {
    const rounds: { journal: number; bare: number; ratio: number }[] = [];
    // The first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const bare = await rate(() => bareLoop(join(folder, `bare-${round}`)));
      const journal = await rate(() => journalLoop(join(folder, `journal-${round}`)));
      if (round > 0) rounds.push({ journal, bare, ratio: journal / bare });
    }
    const median = (of: 'journal' | 'bare' | 'ratio') =>
      rounds.map((round) => round[of]).sort((a, b) => a - b)[ROUNDS >> 1] ?? 0;
    return { journal: median('journal'), bare: median('bare'), ratio: median('ratio') };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function rate(run: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await run();
  return (IN_FLIGHT * GROUPS) / ((performance.now() - start) / 1000);
}

function recordFor(group: number, position: number) {
  const id = `0198f0aa-1111-7000-8000-${String(group * IN_FLIGHT + position).padStart(12, '0')}`;
  return {
    kind: 'command',
    id,
    body: `{"method":"turn/start","params":{"commandId":"${id}","input":"hello"}}`,
  };
}

async function bareLoop(path: string): Promise<void> {
  const file = await open(path, 'a');
  for (let group = 0; group < GROUPS; group += 1) {
    let text = '';
    for (let position = 0; position < IN_FLIGHT; position += 1)
      text += `${JSON.stringify(recordFor(group, position))}\n`;
    await file.write(text);
    await file.datasync();
  }
  await file.close();
}

async function journalLoop(path: string): Promise<void> {
  const { journal } = await openJournal(path);
  for (let group = 0; group < GROUPS; group += 1) {
    const appends = Array.from({ length: IN_FLIGHT }, (_, position) =>
      journal.append(recordFor(group, position)),
    );
    await Promise.all(appends);
  }
  await journal.close();
}

if (process.argv[1]?.includes('journal-appends')) console.log(await measureAppends());
