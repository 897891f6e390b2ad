import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import {
  COMMAND,
  IdempotencyCollisionError,
  type Journal,
  type JournalRecord,
  type JournalStorage,
  MemoryDisk,
  openJournal,
  SETTLEMENT,
  unleased,
} from '../src/reference/journal/index.js';
import { type Entry, Model, toEntry } from './journal-model.js';

/** Something that happens to a host, with the appends that are made at the same time. */
type Step =
  | { readonly does: 'append'; readonly records: readonly JournalRecord[] }
  /** The disk refuses one operation. */
  | {
      readonly does: 'fail';
      readonly records: readonly JournalRecord[];
      readonly operation: 'append' | 'sync';
    }
  /** The host dies after `bytes` more bytes; `kept` bytes of what was not synced survive. */
  | {
      readonly does: 'crash';
      readonly records: readonly JournalRecord[];
      readonly bytes: number;
      readonly kept: number;
    }
  /** The host dies while it opens the log. */
  | { readonly does: 'crashOpening'; readonly bytes: number; readonly kept: number }
  | { readonly does: 'restart' };

const recordArb: fc.Arbitrary<JournalRecord> = fc.oneof(
  fc.record({
    kind: fc.constant('event'),
    body: fc.jsonValue({ maxDepth: 1 }).map((value) => JSON.stringify(value)),
  }),
  fc.record({
    kind: fc.constantFrom(COMMAND, 'event', SETTLEMENT),
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    body: fc.constantFrom('{"n":1}', '{"n":2}'),
  }),
);
export const recordsArb = fc.array(recordArb, { minLength: 1, maxLength: 5 });
const bytesArb = fc.nat(400);

const stepArb: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ does: fc.constant('append'), records: recordsArb }) },
  fc.record({ does: fc.constant('fail'), records: recordsArb, operation: fc.constantFrom('append', 'sync') }),
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('crash'),
      records: recordsArb,
      bytes: bytesArb,
      kept: bytesArb,
    }),
  },
  fc.record({ does: fc.constant('crashOpening'), bytes: fc.nat(120), kept: fc.nat(120) }),
  fc.constant({ does: 'restart' as const }),
);
export const stepsArb = fc.array(stepArb, { minLength: 1, maxLength: 10 });

/** Puts a fault between a journal and its disk, to prove that a property notices. */
export type WrapStorage = (storage: JournalStorage) => JournalStorage;

export const PATH = 'session.jsonl';

/** Opens the journal on a disk in memory, whose kills end leases by themselves. */
export function open(disk: MemoryDisk, wrap: WrapStorage = (storage) => storage) {
  return openJournal(PATH, {
    openStorage: async (path) => wrap(await disk.open(path)),
    acquireLease: unleased,
  });
}

/** What each of the appends was answered, made at the same time; as the model puts it, or `failed`. */
export function answersOf(journal: Journal, records: readonly JournalRecord[]): Promise<string[]> {
  return Promise.all(
    records.map(async (record) => {
      try {
        const { sequence, appended } = await journal.appendIdempotent(record);
        return `${appended ? 'appended' : 'duplicate'} ${sequence}`;
      } catch (error) {
        return error instanceof IdempotencyCollisionError ? `collision ${error.seq}` : 'failed';
      }
    }),
  );
}

/** Lives through the steps beside the model; throws where the journal and the model part. */
export async function live(steps: readonly Step[], wrap?: WrapStorage): Promise<void> {
  const disk = new MemoryDisk();
  let model = new Model();
  let journal = await reopen([]);

  for (const step of steps) {
    if (step.does === 'append') {
      const { next, answers } = model.append(step.records);
      deepStrictEqual(await answersOf(journal, step.records), answers);
      model = next;
    } else if (step.does === 'fail') {
      disk.failNext(step.operation);
      deepStrictEqual(await answersOf(journal, step.records), answersOfFailing(model, step.records));
      disk.failNext(undefined);
    } else if (step.does === 'crash') {
      disk.dieAfter(step.bytes);
      const answers = await answersOf(journal, step.records);
      disk.crash(step.kept);
      const { log } = model.append(step.records).next;
      journal = await reopen(
        log.slice(model.log.length),
        answers.filter((answer) => answer.startsWith('appended')).length,
      );
    } else if (step.does === 'crashOpening') {
      disk.crash();
      disk.dieAfter(step.bytes);
      const opened = await open(disk, wrap).catch(() => undefined);
      disk.crash(step.kept);
      journal = await reopen([model.nextFence], opened ? 1 : 0);
    } else {
      await journal.close();
      journal = await reopen([]);
    }
  }
  deepStrictEqual((await journal.read()).map(toEntry), model.log);

  /** The log must hold the model's records, then in order some of those under way: at least the acknowledged. */
  async function reopen(underWay: readonly Entry[], acknowledged = 0): Promise<Journal> {
    const opened = await open(disk, wrap);
    const found = opened.recovery.records.map(toEntry);
    const survivors = Math.max(acknowledged, found.length - 1 - model.log.length);
    deepStrictEqual(found.slice(0, -1), [...model.log, ...underWay.slice(0, survivors)]);
    model = new Model(found);
    return opened.journal;
  }
}

/** A group that cannot be written is as if never asked for, save for the answers that were durable before it. */
function answersOfFailing(model: Model, records: readonly JournalRecord[]): readonly string[] {
  const { next, answers } = model.append(records);
  if (next.log.length === model.log.length) return answers;
  return answers.map((answer) => {
    const [verdict, sequence] = answer.split(' ');
    return verdict === 'duplicate' && Number(sequence) <= model.log.length ? answer : 'failed';
  });
}
