import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MEASURE = fileURLToPath(new URL('./measure.mjs', import.meta.url));
const SERVER = fileURLToPath(new URL('./server.mjs', import.meta.url));
const SCENARIOS = fileURLToPath(new URL('./scenarios', import.meta.url));

/** What the built command line did, and what it left. */
export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The most memory that the harness itself had resident, in bytes. */
  readonly memory: number;
  /** Processes that its servers started and that live on; undefined where the system does not tell. */
  readonly left: readonly number[] | undefined;
  /** Names of what is left in its temporary folder. */
  readonly leftFiles: readonly string[];
}

/** The words that start the server with a bad manner. */
export function hostileServer(manner: string, ...args: readonly string[]): string[] {
  return [process.execPath, SERVER, manner, ...args];
}

export function hostileScenario(name: string): string {
  return join(SCENARIOS, name);
}

/** Gives `act` a folder of its own, which is gone afterwards. */
export async function inFolder<T>(act: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  try {
    return await act(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the built command line to its end, in a temporary folder of its own. `folder` holds what it needs meanwhile. */
export async function commandLine(
  words: readonly string[],
  folder: string,
  options: { readonly cwd?: string; readonly uid?: number; readonly gid?: number } = {},
): Promise<Ended> {
  const temporary = await mkdtemp(join(folder, 'tmp-'));
  if (options.uid !== undefined) await chown(temporary, options.uid, options.gid ?? options.uid);
  const memoryFile = join(folder, `${temporary.slice(-6)}.memory`);
  const child = spawn(
    process.execPath,
    ['--import', MEASURE, join(ROOT, 'bin/msp-conformance.js'), ...words],
    {
      cwd: ROOT,
      ...options,
      env: { PATH: process.env['PATH'], HOME: folder, TMPDIR: temporary, HOSTILE_MEMORY_FILE: memoryFile },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const [stdout, stderr, exitCode] = await Promise.all([
    textOf(child.stdout),
    textOf(child.stderr),
    new Promise<number | null>((resolve) => child.once('exit', resolve)),
  ]);
  return {
    exitCode,
    stdout,
    stderr,
    memory: Number(await readFile(memoryFile, 'utf8')),
    left: await processesOf(temporary),
    leftFiles: await readdir(temporary),
  };
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Every server, and what it starts, has the run's folders in its environment. */
async function processesOf(folder: string): Promise<number[] | undefined> {
  if (!existsSync('/proc/self/environ')) return undefined;
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const environments = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')),
  );
  return pids.filter((_, index) => environments[index]?.includes(folder));
}
