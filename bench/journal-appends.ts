import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openJournal } from '../src/reference/journal/index.js';
import { compare } from './compare.js';

export interface AppendRates {
  /** Acknowledged appends a second with 64 in flight. */
  readonly journal: number;
  /** The same records by a bare loop: one write of 64 lines and one sync. */
  readonly bare: number;
  /** `journal / bare`. */
  readonly ratio: number;
}

const IN_FLIGHT = 64;
const GROUPS = 400;

/** Measures the journal's acknowledged appends against a bare write and sync loop on the same disk. */
export async function measureAppends(runs: number): Promise<AppendRates> {
  const folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  try {
    let files = 0;
    const { ratio, subject, base } = await compare(
      runs,
      () => rate(() => journalLoop(join(folder, `journal-${files++}`))),
      () => rate(() => bareLoop(join(folder, `bare-${files++}`))),
    );
    return { journal: subject, bare: base, ratio };
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
