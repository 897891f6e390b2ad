import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { program, withFolder } from './paths.js';
import type { Usage } from './programs/usage-probe.js';

/** Runs `node` with these words to its end and gives the milliseconds that it took. Rejects unless it exits with 0. */
export async function wallTime(words: readonly string[]): Promise<number> {
  const start = performance.now();
  await run(words, process.env);
  return performance.now() - start;
}

/** As `wallTime`, and gives what the process used. */
export async function usageOf(words: readonly string[]): Promise<Usage> {
  return withFolder(async (folder) => {
    const file = join(folder, 'usage.json');
    await run(['--import', program('usage-probe'), ...words], { ...process.env, MSP_BENCH_USAGE: file });
    return JSON.parse(await readFile(file, 'utf8')) as Usage;
  });
}

async function run(words: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'], env });
  const killAtExit = () => child.kill();
  process.once('exit', killAtExit);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  process.off('exit', killAtExit);
  if (code === 0) return;
  throw new Error(`node ${words.join(' ')} ended with ${signal ?? code}:\n${stderr.slice(-2000)}`);
}
