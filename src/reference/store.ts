import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Seams } from './faults.js';
import { isUuid } from './ids.js';
import { acquireFileLease, type Lease, LeaseUnavailableError } from './journal/index.js';
import type { JsonObject } from './json.js';
import { SessionFold } from './session-fold.js';
import { openSessionLog, readSessionLog, type SessionLog } from './session-log.js';
import { sessionObject } from './session-object.js';

/** The name of every session's log, in the folder that is named after the session. */
const LOG = 'session.log';

/** What the catalogue keeps of a session that it read. */
export interface Row {
  readonly session: JsonObject;
  /** The command that created it. */
  readonly creator: string;
  readonly isEmpty: boolean;
}

/**
 * The sessions on disk: `sessions/<sessionId>/session.log` below the state directory. The logs are all there is; what is
 * kept in memory is read from them and read again when they change.
 */
export class Store {
  readonly #rows = new Map<string, { readonly version: string; readonly row: Row }>();
  /** The command that created the session of each log: it never changes, whatever else the log gets. */
  readonly #creators = new Map<string, string>();
  #tidied: Promise<void> | undefined;

  constructor(
    /** Absolute. */
    private readonly stateDir: string,
    private readonly seams: Seams,
  ) {}

  pathOf(sessionId: string): string {
    return join(this.stateDir, 'sessions', sessionId, LOG);
  }

  /** Takes the lease and opens the log of a stored session. */
  open(sessionId: string) {
    return openSessionLog(this.pathOf(sessionId), sessionId, this.seams.storage(undefined));
  }

  /** Opens the log of a session that is about to be. What a host left there that died before it was is swept away. */
  async openNew(sessionId: string): Promise<SessionLog> {
    const path = this.pathOf(sessionId);
    if (existsSync(path)) {
      const lease = await acquireFileLease(path);
      await rm(path, { force: true });
      await lease.release();
    }
    return (await this.open(sessionId)).log;
  }

  /** What a session's records amount to; undefined when there is no such session. */
  async read(sessionId: string): Promise<SessionFold | undefined> {
    await this.#tidy();
    if (!(await this.#isStored(sessionId))) return undefined;
    return foldOf(this.pathOf(sessionId), sessionId);
  }

  async whereIs(sessionId: string): Promise<'nowhere' | 'leased' | 'here'> {
    await this.#tidy();
    if (!(await this.#isStored(sessionId))) return 'nowhere';
    const lease = await leaseUnlessHeld(this.pathOf(sessionId));
    await lease?.release();
    return lease ? 'here' : 'leased';
  }

  async row(sessionId: string): Promise<Row | undefined> {
    await this.#tidy();
    return isUuid(sessionId) ? this.#row(this.pathOf(sessionId), sessionId) : undefined;
  }

  /** The ids of every folder that may hold a session. */
  async ids(): Promise<readonly string[]> {
    await this.#tidy();
    return this.#idsIn('sessions');
  }

  /** The session that a command created; one that was reclaimed since is put back, for the command made it. */
  async createdBy(commandId: string): Promise<string | undefined> {
    await this.#tidy();
    const stored = await this.#creation('sessions', commandId);
    if (stored !== undefined) return stored;
    const reclaimed = await this.#creation('reclaimed', commandId);
    if (reclaimed !== undefined) await this.#move(reclaimed, 'reclaimed', 'sessions');
    return reclaimed;
  }

  /** The id names a session that is stored, or was and may come back. */
  async isTaken(sessionId: string): Promise<boolean> {
    await this.#tidy();
    return (await this.#isStored(sessionId)) || existsSync(join(this.#folder('reclaimed', sessionId), LOG));
  }

  /** A host's first look at the disk: sessions that hold nothing but their start are put aside. */
  #tidy(): Promise<void> {
    this.#tidied ??= this.#reclaimEmpty();
    return this.#tidied;
  }

  async #reclaimEmpty(): Promise<void> {
    for (const sessionId of this.#idsIn('sessions')) {
      const path = this.pathOf(sessionId);
      const lease = (await this.#row(path, sessionId))?.isEmpty ? await leaseUnlessHeld(path) : undefined;
      if (!lease) continue;
      const isStillEmpty = (await foldOf(path, sessionId)).state.isEmpty;
      if (isStillEmpty) await this.#move(sessionId, 'sessions', 'reclaimed');
      await lease.release();
      if (isStillEmpty) await rm(this.#folder('sessions', sessionId), { recursive: true, force: true });
    }
  }

  async #creation(folder: string, commandId: string): Promise<string | undefined> {
    for (const sessionId of this.#idsIn(folder)) {
      const path = join(this.#folder(folder, sessionId), LOG);
      const creator = this.#creators.get(path) ?? (await this.#row(path, sessionId))?.creator;
      if (creator === commandId) return sessionId;
    }
    return undefined;
  }

  /** Moves the log alone: what else lies in the folder, the lease first of all, belongs to whoever has it open. */
  async #move(sessionId: string, from: string, to: string): Promise<void> {
    const target = this.#folder(to, sessionId);
    await mkdir(target, { recursive: true });
    await rename(join(this.#folder(from, sessionId), LOG), join(target, LOG));
  }

  #idsIn(folder: string): readonly string[] {
    const root = join(this.stateDir, folder);
    return existsSync(root) ? readdirSync(root).filter(isUuid).sort() : [];
  }

  /** Undefined for a log that cannot be read: one bad file must not hide the others. */
  async #row(path: string, sessionId: string): Promise<Row | undefined> {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return undefined;
    const version = `${stat.size} ${stat.mtimeMs}`;
    const known = this.#rows.get(path);
    if (known?.version === version) return known.row;
    try {
      const { state, ledger } = await foldOf(path, sessionId);
      // Without its intake the session was never promised to anybody.
      const isBorn = state.created !== undefined && ledger.find(state.created.commandId) !== undefined;
      if (!state.created || !this.seams.isListed(isBorn, { state })) return undefined;
      const session = sessionObject(state, { path, isLoaded: false });
      const row = { session, creator: state.created.commandId, isEmpty: state.isEmpty };
      this.#rows.set(path, { version, row });
      this.#creators.set(path, row.creator);
      return row;
    } catch (error) {
      process.stderr.write(`${(error as Error).message}\n`);
      return undefined;
    }
  }

  async #isStored(sessionId: string): Promise<boolean> {
    return isUuid(sessionId) && (await this.#row(this.pathOf(sessionId), sessionId)) !== undefined;
  }

  #folder(kind: string, sessionId: string): string {
    return join(this.stateDir, kind, sessionId);
  }
}

async function foldOf(path: string, sessionId: string): Promise<SessionFold> {
  const fold = new SessionFold(sessionId);
  for (const record of await readSessionLog(path)) fold.restore(record);
  return fold.restored();
}

async function leaseUnlessHeld(path: string): Promise<Lease | undefined> {
  try {
    return await acquireFileLease(path);
  } catch (error) {
    if (error instanceof LeaseUnavailableError) return undefined;
    throw error;
  }
}
