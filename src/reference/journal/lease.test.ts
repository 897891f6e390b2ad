import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireFileLease, LeaseUnavailableError } from './index.js';
import { currentProcess, isAlive } from './process-identity.js';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  path = join(folder, 'session.jsonl');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const leave = (generation: number, content: string) => writeFile(`${path}.lease.${generation}`, content);
const hasProc = (await currentProcess()).birth !== '';

describe('a lease', () => {
  it('keeps others out until it is released', async () => {
    const lease = await acquireFileLease(path);
    await expect(acquireFileLease(path)).rejects.toMatchObject({ holderPid: process.pid });
    await lease.release();
    await (await acquireFileLease(path)).release();
  });

  it('is free again when its process is killed', async () => {
    const holder = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    await leave(1, JSON.stringify({ pid: holder.pid, birth: '' }));
    await expect(acquireFileLease(path)).rejects.toBeInstanceOf(LeaseUnavailableError);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    await acquireFileLease(path);
  });

  it.runIf(hasProc)('is free when its pid belongs to a later process', async () => {
    await leave(1, JSON.stringify({ pid: process.pid, birth: '1' }));
    await acquireFileLease(path);
  });

  it.each(['', '{"pid":', '{"released":true}'])('is free when the file holds %j', async (content) => {
    await leave(1, content);
    await acquireFileLease(path);
  });

  it('goes to exactly one of many that find the same dead holder', async () => {
    for (let round = 0; round < 30; round += 1) {
      path = join(folder, `${round}`, 'session.jsonl');
      await mkdir(join(folder, `${round}`));
      await leave(round + 1, '{"released":true}');
      const openers = await Promise.allSettled(Array.from({ length: 12 }, () => acquireFileLease(path)));
      const refused = openers.filter(({ status }) => status === 'rejected');
      expect(refused).toHaveLength(11);
      for (const opener of refused)
        expect(opener).toMatchObject({ reason: { name: 'LeaseUnavailableError' } });
    }
  });

  it('never goes to two while many take and release it', async () => {
    let holders = 0;
    let taken = 0;
    const contend = async () => {
      while (taken < 100) {
        const lease = await acquireFileLease(path).catch(() => undefined);
        if (lease === undefined) continue;
        holders += 1;
        expect(holders).toBe(1);
        taken += 1;
        await readFile(`${path}.lease.${taken}`);
        holders -= 1;
        await lease.release();
      }
    };
    await Promise.all(Array.from({ length: 6 }, contend));
  });

  it('leaves its own file and one predecessor behind, no drafts', async () => {
    await writeFile(`${path}.lease.draft-of-one-that-died`, '');
    for (let taking = 0; taking < 5; taking += 1) await (await acquireFileLease(path)).release();
    expect((await readdir(folder)).sort()).toEqual(['session.jsonl.lease.4', 'session.jsonl.lease.5']);
  });

  it('may be released after the session was removed', async () => {
    const lease = await acquireFileLease(join(folder, 'gone', 'session.jsonl'));
    await rm(join(folder, 'gone'), { recursive: true });
    await lease.release();
  });
});

describe('a process', () => {
  it('is alive under its own identity', async () => {
    expect(await isAlive(await currentProcess())).toBe(true);
  });

  it.runIf(hasProc)('is not alive as a zombie', async () => {
    // The shell prints its child's pid and becomes a process that never reaps it; the child ends after that.
    const parent = spawn('sh', ['-c', 'cat <&3 >&2 & echo $!; exec cat'], {
      stdio: ['pipe', 'pipe', 'ignore', 'pipe'],
    });
    const [input, output] = [parent.stdin as Writable, parent.stdout as Readable];
    const childInput = parent.stdio[3] as Writable;
    try {
      const [line] = (await once(output, 'data')) as [Buffer];
      const pid = Number(line.toString());
      input.write('ready\n');
      await once(output, 'data');
      childInput.end();
      // The zombie state is reached once the child has exited; its identity never reads as alive after that.
      await expect.poll(() => isAlive({ pid, birth: '' }), { timeout: 60_000 }).toBe(false);
      expect(() => process.kill(pid, 0)).not.toThrow();
    } finally {
      parent.kill('SIGKILL');
      await once(parent, 'exit');
    }
  });
});
