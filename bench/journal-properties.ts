import { deepStrictEqual } from 'node:assert/strict';
import fc from 'fast-check';
import {
  CorruptJournalError,
  type Delivery,
  DeliveryTransitionError,
  deliveryRecord,
  MemoryDisk,
} from '../src/reference/journal/index.js';
import { answersOf, live, open, PATH, recordsArb, stepsArb, type WrapStorage } from './journal-life.js';
import { Model, toEntry } from './journal-model.js';

/** Whatever fails and whenever the host dies, nothing acknowledged is lost and nothing is there twice. */
export function livesLikeTheModel(wrap?: WrapStorage) {
  return fc.asyncProperty(stepsArb, (steps) => live(steps, wrap));
}

/** Cut anywhere, a log opens with its complete records; what was cut appends again, what was not is a duplicate. */
const opensCutAnywhere = fc.asyncProperty(recordsArb, async (records) => {
  const bytes = await writtenLog(records);
  for (let length = 0; length <= bytes.length; length += 1) {
    const disk = new MemoryDisk();
    disk.poke(PATH, bytes.subarray(0, length));
    const { journal, recovery } = await open(disk);
    const end = length === 0 ? 0 : bytes.lastIndexOf('\n', length - 1) + 1;
    deepStrictEqual(recovery.records.length - 1, lineFeeds(bytes.subarray(0, end)));
    deepStrictEqual(recovery.torn, end === length ? undefined : { offset: end, bytes: length - end });
    const { answers } = new Model(recovery.records.map(toEntry)).append(records);
    deepStrictEqual(await answersOf(journal, records), answers);
  }
});

async function writtenLog(records: Parameters<typeof answersOf>[1]): Promise<Buffer> {
  const disk = new MemoryDisk();
  await answersOf((await open(disk)).journal, records);
  return disk.peek(PATH);
}

function lineFeeds(bytes: Buffer): number {
  return bytes.toString('latin1').split('\n').length - 1;
}

/** A changed byte is reported with the record it is in, wherever it is. */
const refusesAnyChangedByte = fc.asyncProperty(
  recordsArb,
  fc.nat(),
  fc.integer({ min: 1, max: 255 }),
  async (records, at, change) => {
    const bytes = await writtenLog(records);
    const position = at % bytes.length;
    const sequence = lineFeeds(bytes.subarray(0, position)) + 1;
    bytes.writeUInt8(bytes.readUInt8(position) ^ change, position);
    const disk = new MemoryDisk();
    disk.poke(PATH, bytes);
    const error = await open(disk).catch((thrown: unknown) => thrown);
    if (!(error instanceof CorruptJournalError))
      throw new Error(`a changed byte ${position} was not refused`);
    deepStrictEqual(error.sequence, sequence);
  },
);

const deliveryArb: fc.Arbitrary<Delivery> = fc.record({
  id: fc.constantFrom('a', 'b'),
  phase: fc.constantFrom('intent', 'fallback_queued'),
  targetLoopId: fc.constantFrom('one', 'two'),
  payload: fc.constantFrom('{"blocks":[1]}', '{"blocks":[1.0]}'),
});

/** Deliveries go from intent to at most one fallback with the same payload, within a group and across restarts. */
const deliversInOrder = fc.asyncProperty(
  fc.array(fc.array(deliveryArb, { minLength: 1, maxLength: 4 })),
  async (groups) => {
    const disk = new MemoryDisk();
    const seen = new Map<string, DeliveryState>();
    for (const group of groups) {
      const { journal } = await open(disk);
      const answers = group.map(async (delivery) => {
        try {
          return (await journal.appendIdempotent(deliveryRecord(delivery))).appended
            ? 'appended'
            : 'duplicate';
        } catch (error) {
          return error instanceof DeliveryTransitionError ? error.reason : String(error);
        }
      });
      deepStrictEqual(
        await Promise.all(answers),
        group.map((delivery) => expectedAnswer(seen, delivery)),
      );
      await journal.close();
    }
  },
);

interface DeliveryState {
  readonly payload: string;
  readonly phases: Set<string>;
}

function expectedAnswer(seen: Map<string, DeliveryState>, delivery: Delivery): string {
  const { id, phase } = delivery;
  const payload = delivery.targetLoopId + delivery.payload;
  const state = seen.get(id);
  if (state === undefined && phase === 'fallback_queued') return 'fallback_before_intent';
  if (state === undefined) {
    seen.set(id, { payload, phases: new Set([phase]) });
    return 'appended';
  }
  if (state.payload !== payload) return phase === 'intent' ? 'duplicate_phase' : 'changed_payload';
  if (state.phases.has(phase)) return 'duplicate';
  state.phases.add(phase);
  return 'appended';
}

export interface JournalProperty {
  readonly name: string;
  /** How many cases an ordinary test run tries. */
  readonly cases: number;
  /** Throws with a counterexample. */
  readonly check: (parameters: { readonly numRuns: number; readonly seed?: number }) => Promise<void>;
}

/** All that the journal promises, for the tests and for the fuzzer. */
export const journalProperties: readonly JournalProperty[] = [
  entry('lives like the model through failures, crashes and restarts', 2000, livesLikeTheModel()),
  entry('opens when cut anywhere and decides retries afresh', 40, opensCutAnywhere),
  entry('refuses any changed byte and names the record', 500, refusesAnyChangedByte),
  entry('lets deliveries go in order only', 300, deliversInOrder),
];

function entry<Arguments extends [unknown, ...unknown[]]>(
  name: string,
  cases: number,
  property: fc.IAsyncProperty<Arguments>,
): JournalProperty {
  return { name, cases, check: (parameters) => fc.assert(property, parameters) };
}
