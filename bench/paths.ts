import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the repository, seen from `dist-bench/bench`. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The program as its users start it. */
export const CLI = join(ROOT, 'bin', 'msp-conformance.js');

export const BUNDLE = join(ROOT, 'schema', 'msp.schema.json');

/** A compiled file of `bench/programs`. */
export function program(name: string): string {
  return fileURLToPath(new URL(`./programs/${name}.js`, import.meta.url));
}

/** Lends a temporary folder and removes it afterwards, whatever happens. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  const removeAtExit = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', removeAtExit);
  try {
    return await use(folder);
  } finally {
    process.off('exit', removeAtExit);
    await rm(folder, { recursive: true, force: true });
  }
}
