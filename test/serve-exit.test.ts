import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../bin/msp-conformance.js', import.meta.url));

describe('the reference server ends with', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  function serve(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    return spawn(process.execPath, [PROGRAM, 'serve', ...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
  }

  /** Ends a server's input and gives its exit code with what it said on stderr. */
  async function ended(server: ChildProcess): Promise<[number, string]> {
    let said = '';
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    server.stdout?.resume();
    server.stdin?.on('error', () => {}).end();
    const [code] = (await once(server, 'close')) as [number];
    return [code, said];
  }

  const state = (name: string) => ['--state', join(folder, name)];

  it('0 once its input is closed', async () => {
    expect(await ended(serve(state('drained')))).toEqual([0, '']);
  });

  it('2 for an option that it does not know', async () => {
    expect(await ended(serve(['--nonsense']))).toEqual([2, expect.stringContaining('--nonsense')]);
  });

  it('3 for a state directory that is none', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    expect(await ended(serve(['--state', file]))).toEqual([3, expect.stringContaining('--state')]);
  });

  it('4 where another process holds the session that it was to load, and not once that one is gone', async () => {
    const sessionId = v7();
    const holder = serve(state('held'));
    const lines = createInterface({ input: holder.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
    const ask = async (id: number, method: string, params: object) => {
      holder.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      while (JSON.parse((await lines.next()).value).id !== id);
    };
    await ask(1, 'initialize', { clientInfo: { name: 'holder', version: '1' }, capabilities: {} });
    holder.stdin?.write('{"jsonrpc":"2.0","method":"initialized"}\n');
    await ask(2, 'session/start', { commandId: v7(), sessionId });
    await ask(3, 'session/rename', { commandId: v7(), sessionId, name: 'held' });

    const second = [...state('held'), '--session', sessionId];
    expect(await ended(serve(second))).toEqual([4, expect.stringContaining(sessionId)]);
    holder.kill('SIGKILL');
    await once(holder, 'close');
    expect(await ended(serve(second))).toEqual([0, '']);
  });

  it('5 where the whole surface is switched off', async () => {
    const [code] = await ended(serve(state('off'), { MUSE_EXPERIMENTAL_SDK_ENABLED: '0' }));
    expect(code).toBe(5);
  });
});
