import { beforeEach, describe, expect, it } from 'vitest';
import {
  COMMAND,
  CommandRouteMismatchError,
  IdempotencyCollisionError,
  InvalidRecordError,
  type JournalOptions,
  JournalUnusableError,
  MemoryDisk,
  openJournal,
  SETTLEMENT,
  StaleWriterError,
  settlementKey,
  unleased,
} from './index.js';

const PATH = 'session.jsonl';
const command = (id: string, body = '{"n":1}') => ({ kind: COMMAND, id, body });
const event = (body: string) => ({ kind: 'event', body });

let disk: MemoryDisk;
const options = (more: JournalOptions = {}): JournalOptions => ({
  openStorage: disk.open,
  acquireLease: unleased,
  ...more,
});
const open = async (more?: JournalOptions) => (await openJournal(PATH, options(more))).journal;

beforeEach(() => {
  disk = new MemoryDisk();
});

describe('appending', () => {
  it('answers an identical retry with the original sequence, also after a restart', async () => {
    const journal = await open();
    const first = await journal.appendIdempotent(command('a'));
    expect(first).toEqual({ sequence: 2, appended: true });
    expect(await journal.appendIdempotent(command('a'))).toEqual({ sequence: 2, appended: false });
    expect(await (await open()).appendIdempotent(command('a'))).toEqual({ sequence: 2, appended: false });
  });

  it('gives two identical appends of one group one record', async () => {
    const journal = await open();
    const results = await Promise.all([
      journal.appendIdempotent(command('a')),
      journal.appendIdempotent(command('a')),
    ]);
    expect(results).toEqual([
      { sequence: 2, appended: true },
      { sequence: 2, appended: false },
    ]);
  });

  it.each([
    ['another body', command('a', '{"n":2}')],
    ['the same value in other bytes', command('a', '{"n": 1}')],
    ['another kind', { ...command('a'), kind: 'event' }],
  ])('refuses a reused id with %s', async (_, record) => {
    const journal = await open();
    await journal.append(command('a'));
    const refusal = journal.appendIdempotent(record);
    await expect(refusal).rejects.toMatchObject({ id: 'a', seq: 2 });
    await expect(refusal).rejects.toBeInstanceOf(IdempotencyCollisionError);
    expect(journal.sequence).toBe(2);
  });

  it('keeps a transient route out of the fingerprint and off the disk', async () => {
    const journal = await open({ sessionId: 's' });
    await journal.append({ ...command('a'), route: { sessionId: 's', loopId: 'one' } });
    const again = await journal.appendIdempotent({ ...command('a'), route: { loopId: 'two' } });
    expect(again.appended).toBe(false);
    expect(disk.peek(PATH).toString()).not.toContain('one');
    await expect(journal.append({ ...command('b'), route: { sessionId: 'other' } })).rejects.toBeInstanceOf(
      CommandRouteMismatchError,
    );
  });

  it('settles a command once', async () => {
    const journal = await open();
    await journal.append(command('a'));
    const settlement = { kind: SETTLEMENT, id: 'a', body: '"done"' };
    await journal.append(settlement);
    expect((await journal.appendIdempotent(settlement)).appended).toBe(false);
    await expect(journal.append({ ...settlement, body: '"abandoned"' })).rejects.toMatchObject({ seq: 3 });
  });

  it.each([
    ['a body that is not JSON', event('{')],
    ['a body on two lines', event('[\n1]')],
    ['a body with a lone surrogate', event('"\ud800"')],
    ['an empty kind', { kind: '', body: '1' }],
    ['a fence', { kind: 'fence', body: '1' }],
    ['an empty id', command('')],
    ['an id with a reserved suffix', command(settlementKey('a'))],
    ['a settlement without an id', { kind: SETTLEMENT, body: '1' }],
    ['a delegate that deliveryRecord did not make', { kind: 'delegate', id: 'a', body: '{}' }],
  ])('refuses %s and goes on', async (_, record) => {
    const journal = await open();
    await expect(journal.append(record)).rejects.toBeInstanceOf(InvalidRecordError);
    expect(await journal.append(event('1'))).toMatchObject({ sequence: 2 });
  });

  it('keeps numbers, escapes and member order of a body as written', async () => {
    const body = '{"b":9007199254740993,"a":1.0e0,"\\u0041":"\\ud83d\\ude00é\u2028"}';
    await (await open()).append({ kind: 'e"\\', id: '"id\u0000', body });
    const { recovery } = await openJournal(PATH, options());
    expect(recovery.records[1]).toMatchObject({ kind: 'e"\\', id: '"id\u0000', body });
  });

  it('shares one write and one sync among concurrent appends', async () => {
    const calls: string[] = [];
    const journal = await open({
      openStorage: async (path) => {
        const storage = await disk.open(path);
        return {
          ...storage,
          append: (bytes) => storage.append(bytes).then(() => void calls.push('append')),
          sync: () => storage.sync().then(() => void calls.push('sync')),
        };
      },
    });
    calls.length = 0;
    const results = await Promise.all(Array.from({ length: 64 }, (_, n) => journal.append(event(String(n)))));
    expect(results.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 64 }, (_, n) => n + 2));
    expect(calls).toEqual(['append', 'sync']);
  });

  it('tells nobody before the sync', async () => {
    const order: string[] = [];
    const journal = await open({
      openStorage: async (path) => {
        const storage = await disk.open(path);
        return { ...storage, sync: () => storage.sync().then(() => void order.push('synced')) };
      },
    });
    order.length = 0;
    const told = journal.append(event('1')).then(() => order.push('told'));
    order.push('asked');
    await told;
    expect(order).toEqual(['asked', 'synced', 'told']);
  });
});

describe('a failed write', () => {
  it.each(['append', 'sync'] as const)(
    'leaves index and tip as they were when %s fails',
    async (operation) => {
      const journal = await open();
      await journal.append(command('known'));
      const before = disk.peek(PATH);
      disk.failNext(operation);
      const [failed, known] = await Promise.allSettled([
        journal.appendIdempotent(command('new')),
        journal.appendIdempotent(command('known')),
      ]);
      expect(failed).toMatchObject({ status: 'rejected', reason: { code: 'ENOSPC' } });
      expect(known).toMatchObject({ value: { sequence: 2, appended: false } });
      expect(disk.peek(PATH)).toEqual(before);
      expect(await journal.appendIdempotent(command('new', '2'))).toEqual({ sequence: 3, appended: true });
    },
  );

  it('that cannot be taken back ends the journal', async () => {
    const journal = await open({
      openStorage: async (path) => {
        const storage = await disk.open(path);
        return { ...storage, truncate: () => Promise.reject(new Error('read-only')) };
      },
    });
    disk.failNext('append');
    await expect(journal.append(event('1'))).rejects.toBeInstanceOf(JournalUnusableError);
    await expect(journal.append(event('1'))).rejects.toBeInstanceOf(JournalUnusableError);
    expect((await openJournal(PATH, options())).recovery.torn).toBeDefined();
  });
});

describe('a writer that lost its log', () => {
  it.each([
    ['a later writer fenced it out', () => open()],
    ['the log was cut', async () => disk.poke(PATH, disk.peek(PATH).subarray(0, 10))],
  ])('is refused for good when %s', async (_, move) => {
    // Writers share the file itself, as two processes would.
    const stale = await open();
    await stale.append(event('1'));
    const before = disk.peek(PATH).length;
    await move();
    const moved = disk.peek(PATH);
    await expect(stale.append(event('2'))).rejects.toMatchObject({
      expectedTip: before,
      actualTip: moved.length,
    });
    await expect(stale.append(event('2'))).rejects.toBeInstanceOf(StaleWriterError);
    expect(disk.peek(PATH)).toEqual(moved);
  });
});
