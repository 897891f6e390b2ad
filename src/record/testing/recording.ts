import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TargetSpec } from '../../target/spec.js';

/** The small MSP server of these tests as a target. */
export function smallServer(manner = 'plain'): TargetSpec {
  return {
    label: manner,
    command: [process.execPath, fileURLToPath(new URL('./server.mjs', import.meta.url)), manner],
    address: { kind: 'stdio' },
    env: {},
    inheritEnv: false,
    behaviours: { approval: 'ask me' },
    startTimeoutMs: 30_000,
    graceMs: 30_000,
    timeoutMs: 30_000,
  };
}

/** Runs `use` with a folder of its own, gone afterwards. */
export async function inFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function writeScript(folder: string, lines: readonly unknown[]): Promise<string> {
  const file = join(folder, 'script.jsonl');
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFile(file, texts.join('\n'));
  return file;
}

/** Names in a folder, hidden ones too, sorted. */
export async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder)).sort();
}
