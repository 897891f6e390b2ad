import type { JournalStorage } from './storage.js';

/**
 * A disk in memory, for hosts that keep nothing and for tests that crash. It tells synced bytes from unsynced
 * ones and can die at any byte of an append; whoever held it then is cut off, as by a kill.
 */
export class MemoryDisk {
  readonly #files = new Map<string, MemoryFile>();
  #life = 0;
  #budget = Number.POSITIVE_INFINITY;
  #failing: Operation | undefined;

  readonly open = async (path: string): Promise<JournalStorage> => {
    const file = this.#files.get(path) ?? new MemoryFile();
    this.#files.set(path, file);
    const life = this.#life;
    const enter = (operation: Operation) => {
      if (life !== this.#life || this.#budget < 0) throw new Error('the host was killed');
      if (this.#failing !== operation) return false;
      this.#failing = undefined;
      return true;
    };
    return {
      size: async () => file.bytes.length,
      read: async () => Buffer.from(file.bytes),
      append: async (bytes) => {
        if (enter('append')) return fail(() => file.append(bytes.subarray(0, bytes.length >> 1)));
        file.append(bytes.subarray(0, Math.min(bytes.length, this.#budget)));
        this.#budget -= bytes.length;
        if (this.#budget < 0) throw new Error('the host was killed');
      },
      sync: async () => {
        if (enter('sync')) return fail();
        file.synced = file.bytes.length;
      },
      truncate: async (length) => {
        if (enter('truncate')) return fail();
        file.truncate(length);
      },
      close: async () => undefined,
    };
  };

  /** The next such operation fails once (undefined: none does); an append leaves half of its bytes. */
  failNext(operation: Operation | undefined): void {
    this.#failing = operation;
  }

  /** The host dies inside the append that would exceed this many bytes from now on. */
  dieAfter(bytes: number): void {
    this.#budget = bytes;
  }

  /** Kills the host: of the unsynced bytes of every file, `kept` survive. */
  crash(kept = 0): void {
    this.#life += 1;
    this.#budget = Number.POSITIVE_INFINITY;
    this.#failing = undefined;
    for (const file of this.#files.values()) file.truncate(Math.min(file.bytes.length, file.synced + kept));
  }

  /** The bytes of a file; empty for an unknown path. */
  peek(path: string): Buffer {
    return Buffer.from(this.#files.get(path)?.bytes ?? []);
  }

  /** Replaces a file's bytes under whoever has it open; all of them count as synced. */
  poke(path: string, bytes: Uint8Array): void {
    const file = this.#files.get(path) ?? new MemoryFile();
    file.truncate(0);
    file.append(bytes);
    file.synced = bytes.length;
    this.#files.set(path, file);
  }
}

export type Operation = 'append' | 'sync' | 'truncate';

async function fail(before: () => void = () => undefined): Promise<never> {
  before();
  throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
}

class MemoryFile {
  synced = 0;
  #room = Buffer.alloc(1024);
  #length = 0;

  get bytes(): Buffer {
    return this.#room.subarray(0, this.#length);
  }

  append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    // Doubling keeps a long log linear in its length.
    if (length > this.#room.length)
      this.#room = Buffer.concat([this.bytes], Math.max(length, this.#room.length * 2));
    this.#room.set(bytes, this.#length);
    this.#length = length;
  }

  truncate(length: number): void {
    this.#length = length;
    this.synced = Math.min(this.synced, length);
  }
}
