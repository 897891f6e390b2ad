import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';

const ROOT = join(import.meta.dirname, '..', '..');
const TSC = join(ROOT, 'node_modules', '.bin', 'tsc');

export interface Ended {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
}

/** The command line as it is built from the sources of this moment, in a folder of its own. */
export interface Built {
  start(args: readonly string[]): Started;
  run(args: readonly string[]): Promise<Ended>;
  dispose(): Promise<void>;
}

/** Builds aside, so that tests which run what stands in `dist` never meet a file half written. */
export async function build(): Promise<Built> {
  const folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  await promisify(execFile)(TSC, ['-p', join(ROOT, 'tsconfig.build.json'), '--outDir', join(folder, 'dist')]);
  await cp(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
  await cp(join(ROOT, 'package.json'), join(folder, 'package.json'));
  for (const name of ['node_modules', 'schema', 'scenarios'])
    await symlink(join(ROOT, name), join(folder, name));
  const program = join(folder, 'bin', 'msp-conformance.js');
  const start = (args: readonly string[]): Started => {
    const child = spawn(process.execPath, [program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: ROOT,
    });
    const streams = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    const ended = streams.then(([stdout, stderr, [exitCode]]) => ({ exitCode, stdout, stderr }));
    return { process: child, ended };
  };
  return {
    start,
    run: (args) => start(args).ended,
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}
