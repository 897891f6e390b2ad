import { randomUUID } from 'node:crypto';
import { link, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { LeaseUnavailableError } from './errors.js';
import { currentProcess, isAlive, type ProcessIdentity } from './process-identity.js';
import { makeDirectory } from './storage.js';

/** The right to write one session's log. */
export interface Lease {
  release(): Promise<void>;
}

export type AcquireLease = (path: string) => Promise<Lease>;

/** The lease of a log that no other process can reach, such as one in memory. */
export const unleased: AcquireLease = async () => ({ release: async () => undefined });

interface LeaseFile {
  readonly generation: number;
  /** Undefined once released, or when a power cut left no readable content. */
  readonly holder: ProcessIdentity | undefined;
}

/**
 * Takes the lease of the log at `path`; it ends with this process, however that ends. Throws
 * `LeaseUnavailableError` while its holder lives.
 *
 * Each taking is a generation, a file of its own beside the log, linked into place whole. A stale lease is not
 * removed but succeeded, and only one opener can link a given successor, so two that see the same dead holder
 * cannot both win. Released generations stay until succeeded, so that a number is never taken twice.
 */
export async function acquireFileLease(path: string): Promise<Lease> {
  await makeDirectory(dirname(path));
  const self = await currentProcess();
  for (;;) {
    const latest = await latestLease(path);
    if (latest?.holder && (await isAlive(latest.holder)))
      throw new LeaseUnavailableError(path, latest.holder.pid);
    const generation = (latest?.generation ?? 0) + 1;
    if (!(await claim(path, generation, self))) continue;
    // An opener that read the folder long ago may have linked a number that was succeeded and swept since.
    if ((await generations(path)).at(-1) === generation) {
      await sweep(path, generation - 1);
      return { release: () => release(path, generation) };
    }
    await rm(leasePath(path, generation), { force: true });
  }
}

async function latestLease(path: string): Promise<LeaseFile | undefined> {
  for (;;) {
    const generation = (await generations(path)).at(-1);
    if (generation === undefined) return undefined;
    try {
      return { generation, holder: parseHolder(await readFile(leasePath(path, generation), 'utf8')) };
    } catch (error) {
      // Swept by a successor since the folder was read: look again.
      if (!isMissing(error)) throw error;
    }
  }
}

async function generations(path: string): Promise<number[]> {
  const prefix = `${basename(path)}.lease.`;
  const names = await readdir(dirname(path));
  return names
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .sort((a, b) => a - b);
}

function leasePath(path: string, generation: number): string {
  return `${path}.lease.${generation}`;
}

function parseHolder(text: string): ProcessIdentity | undefined {
  try {
    const { pid, birth } = JSON.parse(text) as { pid?: unknown; birth?: unknown };
    return typeof pid === 'number' && typeof birth === 'string' ? { pid, birth } : undefined;
  } catch {
    return undefined;
  }
}

async function claim(path: string, generation: number, self: ProcessIdentity): Promise<boolean> {
  const draft = draftPath(path);
  await writeFile(draft, JSON.stringify({ ...self, token: randomUUID() }), { flag: 'wx' });
  try {
    await link(draft, leasePath(path, generation));
    return true;
  } catch (error) {
    // Taken by another opener, or the draft was swept by the one that won.
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function draftPath(path: string): string {
  return `${path}.lease.draft-${randomUUID()}`;
}

/** Removes what came before `generation` and the drafts of openers that died; keeps one predecessor for slow readers. */
async function sweep(path: string, generation: number): Promise<void> {
  const prefix = `${basename(path)}.lease.`;
  for (const name of await readdir(dirname(path))) {
    if (!name.startsWith(prefix)) continue;
    const number = Number(name.slice(prefix.length));
    if (Number.isNaN(number) || number < generation) await rm(join(dirname(path), name), { force: true });
  }
}

async function release(path: string, generation: number): Promise<void> {
  const draft = draftPath(path);
  try {
    await writeFile(draft, '{"released":true}', { flag: 'wx' });
    await rename(draft, leasePath(path, generation));
  } catch (error) {
    // The session's folder was removed together with the lease.
    if (!isMissing(error)) throw error;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}
