import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupEnds } from './process-group.js';

const here = dirname(fileURLToPath(import.meta.url));
const repository = join(here, '..', '..');
const run = promisify(execFile);

let compiled: string;
let temporary: string;

// The harness has to be a process of its own, and Node runs no TypeScript.
beforeAll(async () => {
  compiled = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  temporary = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  await writeFile(join(compiled, 'package.json'), '{"type":"module"}');
  const compiler = join(repository, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = ['--module', 'nodenext', '--target', 'es2022', '--types', 'node', '--skipLibCheck'];
  const files = ['host.ts', 'workbench.ts', 'clean-up.ts'].map((name) => join(here, name));
  const folders = ['--rootDir', join(repository, 'src'), '--outDir', compiled];
  await run(process.execPath, [compiler, '--ignoreConfig', ...options, ...folders, ...files], {
    cwd: repository,
  });
});

afterAll(async () => {
  await rm(compiled, { recursive: true, force: true });
  await rm(temporary, { recursive: true, force: true });
});

async function harness(address: string, way: string) {
  const modules = ['host.js', 'workbench.js', 'clean-up.js'].map((name) => join(compiled, 'target', name));
  const server = join(here, 'testing', 'server.mjs');
  const child = spawn(
    process.execPath,
    [join(here, 'testing', 'harness.mjs'), ...modules, server, address, way],
    {
      env: { ...process.env, TMPDIR: temporary },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  const exited = once(child, 'exit');
  const [hello] = await once(child.stdout, 'data');
  const [code, signal] = await exited;
  return { ...(JSON.parse(String(hello)) as { server: number; folder: string }), code, signal };
}

describe.each(['stdio', 'unix'])('a harness with a %s server', (address) => {
  it.each([
    { way: 'exits', code: 0, signal: null },
    { way: 'throws', code: 1, signal: null },
    { way: 'cleansUp', code: 0, signal: null },
    { way: 'isTerminated', code: null, signal: 'SIGTERM' },
    { way: 'isKilled', code: null, signal: 'SIGKILL' },
  ])('that $way leaves no server and no folder', async ({ way, code, signal }) => {
    const left = await harness(address, way);
    expect(left).toMatchObject({ code, signal });
    expect(await groupEnds(left.server, 60_000)).toBe(true);
    await folderIsGone(left.folder);
    expect(await readdir(temporary)).toEqual([]);
  });
});

/** The guard removes it in its own time, and nobody announces that. */
async function folderIsGone(folder: string): Promise<void> {
  while (existsSync(folder)) await nextTurn();
}
