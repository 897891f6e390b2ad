import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  COMMAND,
  CorruptJournalError,
  JournalUnusableError,
  LeaseUnavailableError,
  MemoryDisk,
  openJournal,
  readJournal,
  SETTLEMENT,
  settlementKey,
  unleased,
} from './index.js';

const PATH = 'session.jsonl';
const command = (id: string, body = '{"n":1}') => ({ kind: COMMAND, id, body });
const event = (body: string) => ({ kind: 'event', body });
const kinds = (records: readonly { kind: string; body: string }[]) =>
  records.map(({ kind, body }) => `${kind} ${body}`);

let disk: MemoryDisk;
const open = () => openJournal(PATH, { openStorage: disk.open, acquireLease: unleased });

beforeEach(() => {
  disk = new MemoryDisk();
});

describe('opening', () => {
  it('writes a fence under the next epoch before anything else', async () => {
    await (await open()).journal.append(event('1'));
    const { journal, recovery } = await open();
    expect(recovery.records.map(({ sequence, epoch, kind }) => [sequence, epoch, kind])).toEqual([
      [1, 1, 'fence'],
      [2, 1, 'event'],
      [3, 2, 'fence'],
    ]);
    expect(await journal.read()).toEqual(recovery.records);
  });

  it('lists commands without a settlement', async () => {
    const { journal } = await open();
    await journal.append(command('a'));
    await journal.append(command('b'));
    await journal.append({ kind: SETTLEMENT, id: 'a', body: '"done"' });
    const { journal: next, recovery } = await open();
    expect(recovery.unsettled).toEqual(['b']);
    expect(next.sequenceOf(settlementKey('a'))).toBe(4);
  });

  it('cuts a torn last line and says so', async () => {
    await (await open()).journal.append(event('"kept"'));
    const whole = disk.peek(PATH);
    disk.poke(PATH, Buffer.concat([whole, Buffer.from('{"v":1,"seq":3,')]));
    const { recovery } = await open();
    expect(recovery.torn).toEqual({ offset: whole.length, bytes: 15 });
    expect(kinds(recovery.records)).toEqual(['fence {"epoch":1}', 'event "kept"', 'fence {"epoch":2}']);
    expect(disk.peek(PATH).subarray(0, whole.length)).toEqual(whole);
  });

  it('refuses a log in which any one byte was changed, and names the record', async () => {
    const { journal } = await open();
    for (const body of ['"first"', '{"crc":"00000000"}']) await journal.append(command(body, body));
    const whole = disk.peek(PATH);
    let sequence = 1;
    for (const [position, byte] of whole.entries()) {
      for (const flipped of [byte ^ 1, byte ^ 0x80, 0x0a, 0x20].filter((other) => other !== byte)) {
        const damaged = Buffer.from(whole);
        damaged[position] = flipped;
        disk.poke(PATH, damaged);
        const error = await open().catch((thrown: unknown) => thrown);
        expect(error, `byte ${position}`).toBeInstanceOf(CorruptJournalError);
        expect((error as CorruptJournalError).sequence, `byte ${position}`).toBe(sequence);
        expect(disk.peek(PATH)).toEqual(damaged);
      }
      if (byte === 0x0a) sequence += 1;
    }
  });

  it('refuses a log whose records do not follow each other', async () => {
    const { journal } = await open();
    await journal.append(event('1'));
    await journal.append(event('2'));
    const [fence, first, second] = disk
      .peek(PATH)
      .toString()
      .split(/(?<=\n)/);
    for (const lines of [[fence, second], [first], [fence, first, first], [fence, fence]]) {
      disk.poke(PATH, Buffer.from(lines.join('')));
      await expect(open()).rejects.toBeInstanceOf(CorruptJournalError);
    }
  });
});

describe('on files', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('keeps what was appended, holds the lease until closed, and reads without it', async () => {
    const path = join(folder, 'sessions', '2026-01-02', 'id', 'session.jsonl');
    const { journal } = await openJournal(path);
    await journal.append(command('a'));
    await expect(openJournal(path)).rejects.toBeInstanceOf(LeaseUnavailableError);
    expect((await readJournal(path)).records).toEqual(await journal.read());
    const last = journal.append(event('"last"'));
    await journal.close();
    expect(await last).toMatchObject({ sequence: 3 });
    await expect(journal.append(event('1'))).rejects.toBeInstanceOf(JournalUnusableError);

    const { journal: next, recovery } = await openJournal(path);
    expect(kinds(recovery.records).slice(1, 3)).toEqual(['command {"n":1}', 'event "last"']);
    await next.close();
    expect(await readdir(join(path, '..'))).toHaveLength(3);
  });

  it('leaves the lease and the bytes of a damaged log alone', async () => {
    const path = join(folder, 'session.jsonl');
    await writeFile(path, 'not a frame\n');
    for (let attempt = 0; attempt < 2; attempt += 1) {
      await expect(openJournal(path)).rejects.toMatchObject({
        name: 'CorruptJournalError',
        sequence: 1,
        offset: 0,
      });
    }
    expect(await readFile(path, 'utf8')).toBe('not a frame\n');
  });
});
