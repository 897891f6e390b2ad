import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import type { Intake } from './ledger.js';

/**
 * Commands that were to create a session and were rejected. They have no session whose log could hold them, so each is a
 * file of its own: `rejected/<commandId>.json`. Without a folder they are remembered while the host lives.
 */
export class RejectedCreations {
  readonly #remembered = new Map<string, Intake>();

  constructor(private readonly folder: string | undefined) {}

  async find(commandId: string): Promise<Intake | undefined> {
    const remembered = this.#remembered.get(commandId);
    if (remembered || this.folder === undefined) return remembered;
    const text = await readFile(this.#path(commandId), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : (JSON.parse(text) as Intake);
  }

  /** Resolves once the rejection survives a crash. */
  async add(intake: Intake): Promise<void> {
    this.#remembered.set(intake.commandId, intake);
    if (this.folder === undefined) return;
    await mkdir(this.folder, { recursive: true });
    const path = this.#path(intake.commandId);
    await writeDurably(`${path}.draft`, JSON.stringify(intake));
    await rename(`${path}.draft`, path);
    await syncFolder(this.folder);
  }

  #path(commandId: string): string {
    return join(this.folder ?? '', `${commandId.toLowerCase()}.json`);
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  // Windows does not sync folders.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
