import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledSchemaPath, loadBundle } from '../schema/load-bundle.js';
import type { SchemaOutcome } from '../schema/outcome.js';
import { type Validator, validatorFor } from '../schema/validate.js';
import { countingClock } from './clock.js';
import { type Fault, seamsWith } from './faults.js';
import { Host } from './host.js';
import { seededIds } from './ids.js';
import { InMemoryClient } from './in-memory-client.js';
import type { JsonObject } from './json.js';
import { Store } from './store.js';

export interface TestHostOptions {
  readonly isEphemeral?: true;
  readonly frameLimitBytes?: number;
  readonly backlogLimitBytes?: number;
  readonly idleUnloadMs?: number;
  readonly faults?: readonly Fault[];
}

/** A host with one client, on a state directory that outlives it. */
export interface TestHost {
  readonly host: Host;
  readonly client: InMemoryClient;
  readonly stateDir: string;
  /** One more connection to the same host. */
  connect(): InMemoryClient;
  /** Another host on the same directory, at the same time. */
  beside(): TestHost;
  /** Another host on the same directory, after an orderly end of this one. */
  restart(): Promise<TestHost>;
  /** Another host on the same directory. This one is cut off in the middle of what it does. */
  crash(): Promise<TestHost>;
}

/** Runs a test on a host of its own and leaves nothing behind. */
export async function withHost(
  options: TestHostOptions,
  test: (on: TestHost) => Promise<void>,
): Promise<void> {
  const stateDir = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  const made: TestHost[] = [];
  try {
    await test(makeHost(options, stateDir, made));
    if (!options.faults) for (const { client } of made) await assertValid(client);
  } finally {
    for (const { host } of made) await end(host);
    await rm(stateDir, { recursive: true, force: true });
  }
}

const bundle = loadBundle(bundledSchemaPath());

function makeHost(options: TestHostOptions, stateDir: string, made: TestHost[]): TestHost {
  const { isEphemeral, frameLimitBytes = 10_485_760, backlogLimitBytes = 1_000_000, faults = [] } = options;
  const { idleUnloadMs = 600_000 } = options;
  const seams = seamsWith(
    faults.map(({ name }) => name),
    faults,
  );
  const clock = countingClock(1_750_000_000_000 + made.length * 1_000_000);
  const host = new Host({
    stateDir,
    ...(!isEphemeral && { store: new Store(stateDir, seams) }),
    clock,
    ids: seededIds(made.length + 1, clock),
    seams,
    frameLimitBytes,
    backlogLimitBytes,
    idleUnloadMs,
    onFailure: (error) => {
      throw error;
    },
  });
  const clients: InMemoryClient[] = [];
  const on: TestHost = {
    host,
    client: new InMemoryClient(host),
    stateDir,
    connect: () => {
      const client = new InMemoryClient(host);
      clients.push(client);
      return client;
    },
    beside: () => makeHost(options, stateDir, made),
    restart: async () => {
      await end(host);
      return makeHost(options, stateDir, made);
    },
    crash: async () => {
      await cutOff(host);
      return makeHost(options, stateDir, made);
    },
  };
  made.push(on);
  return on;
}

async function end(host: Host): Promise<void> {
  if (!host.isDraining) await host.drain();
}

/** What is durable stays, the rest never happened: the logs close without an end, and nobody hears of anything more. */
async function cutOff(host: Host): Promise<void> {
  await host.outbox.settled();
  host.abandon();
  for (const session of host.sessions.values()) await session.log.close();
}

/** Throws for what is wrong, by the bundle, with the frames that a client got. */
async function assertValid(client: InMemoryClient): Promise<void> {
  const validator = validatorFor(await bundle);
  const problems = client.frames.flatMap((frame) => {
    const { violations, notes } = outcomeOf(validator, client, frame);
    const odd = notes.filter(({ rule }) => rule !== 'disputed');
    return [...violations, ...odd].map(({ path, message }) => `${frame['method'] ?? ''} ${path}: ${message}`);
  });
  if (problems.length > 0) throw new Error(`the server sent invalid frames:\n${problems.join('\n')}`);
}

function outcomeOf(validator: Validator, client: InMemoryClient, frame: JsonObject): SchemaOutcome {
  const { method, id, params, result, error } = frame;
  if (error) return validator.validateErrorObject(error);
  if (result) return validator.validateResult(client.methods.get(id) ?? '', result);
  return id === undefined
    ? validator.validateNotification(method as string, params)
    : validator.validateServerRequest(method as string, params);
}
