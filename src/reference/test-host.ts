import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledSchemaPath, loadBundle } from '../schema/load-bundle.js';
import { countingClock } from './clock.js';
import { type Fault, seamsWith } from './faults.js';
import { Host } from './host.js';
import { seededIds } from './ids.js';
import { InMemoryClient } from './in-memory-client.js';
import { Store } from './store.js';

export interface TestHostOptions {
  readonly isEphemeral?: true;
  readonly frameLimitBytes?: number;
  readonly backlogLimitBytes?: number;
  readonly faults?: readonly Fault[];
}

/** A host with one client, on a state directory that outlives it. */
export interface TestHost {
  readonly host: Host;
  readonly client: InMemoryClient;
  readonly stateDir: string;
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
  const hosts: Host[] = [];
  try {
    await test(makeHost(options, stateDir, hosts));
  } finally {
    for (const host of hosts) await end(host);
    await rm(stateDir, { recursive: true, force: true });
  }
}

const bundle = loadBundle(bundledSchemaPath());

function makeHost(options: TestHostOptions, stateDir: string, hosts: Host[]): TestHost {
  const { isEphemeral, frameLimitBytes = 10_485_760, backlogLimitBytes = 1_000_000, faults = [] } = options;
  const seams = seamsWith(faults.map(({ name }) => name), faults);
  const clock = countingClock(1_750_000_000_000 + hosts.length * 1_000_000);
  const host = new Host({
    stateDir,
    ...(!isEphemeral && { store: new Store(stateDir, seams) }),
    clock,
    ids: seededIds(hosts.length + 1, clock),
    seams,
    frameLimitBytes,
    backlogLimitBytes,
    loadBundle: () => bundle,
    onFailure: (error) => {
      throw error;
    },
  });
  hosts.push(host);
  return {
    host,
    client: new InMemoryClient(host),
    stateDir,
    restart: async () => {
      await end(host);
      return makeHost(options, stateDir, hosts);
    },
    crash: async () => {
      await cutOff(host);
      return makeHost(options, stateDir, hosts);
    },
  };
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
