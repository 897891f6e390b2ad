import { fileURLToPath } from 'node:url';
import { afterEach, expect } from 'vitest';
import type { StreamFault } from '../../wire/stream-fault.js';
import type { Connection } from '../connection.js';
import { type Host, openHost } from '../host.js';
import { groupLives } from '../process-group.js';
import type { TargetSpec } from '../spec.js';
import { openWorkbench, type Workbench } from '../workbench.js';

const SERVER = fileURLToPath(new URL('./server.mjs', import.meta.url));

/** The words that start the test server with a manner of `server.mjs`. */
export function serverCommand(manner: string, ...args: readonly string[]): readonly string[] {
  return [process.execPath, SERVER, manner, ...args];
}

/** A stdio target with generous limits. */
export function spec(overrides: Partial<TargetSpec>): TargetSpec {
  return {
    label: 'test server',
    address: { kind: 'stdio' },
    env: {},
    inheritEnv: false,
    behaviours: {},
    startTimeoutMs: 60_000,
    graceMs: 60_000,
    timeoutMs: 60_000,
    ...overrides,
  };
}

/** Opens hosts and workbenches; after each test they are gone, and with them every process of their groups. */
export function testHosts(): {
  bench(): Promise<Workbench>;
  open(spec: TargetSpec, bench?: Workbench, frameLimitBytes?: number): Promise<Host>;
} {
  const hosts: Host[] = [];
  const benches: Workbench[] = [];
  const bench = async () => {
    const opened = await openWorkbench({ scenarioDir: 'scenario folder', keep: false });
    benches.push(opened);
    return opened;
  };
  afterEach(async () => {
    const ended = hosts.splice(0);
    for (const host of ended) host.killNow();
    await Promise.all(ended.map((host) => (host.pid === undefined ? host.stop() : host.kill())));
    const alive = ended.flatMap(({ pid }) => (pid !== undefined && groupLives(pid) ? [pid] : []));
    await Promise.all(benches.splice(0).map((opened) => opened.dispose()));
    expect(alive).toEqual([]);
  });
  return {
    bench,
    open: async (target, on, frameLimitBytes = 1024 * 1024) => {
      const host = await openHost(target, on ?? (await bench()), {
        frameLimitBytes,
        clock: () => performance.now(),
      });
      hosts.push(host);
      return host;
    },
  };
}

/** What a connection brings, to be waited for. */
export class Reading {
  readonly faults: StreamFault[] = [];
  readonly raws: string[] = [];
  #arrived: () => void = () => {};

  constructor(readonly connection: Connection) {
    connection.onFault((fault) => {
      this.faults.push(fault);
      this.#arrived();
    });
    connection.onFrame(({ frame }) => {
      this.raws.push(frame.raw);
      this.#arrived();
    });
  }

  /** Resolves with the frames' values once there are so many. */
  async frames(count: number): Promise<Record<string, unknown>[]> {
    await this.#until(() => this.raws.length >= count);
    return this.raws.filter((raw) => raw !== '').map((raw) => JSON.parse(raw));
  }

  async fault(kind: StreamFault['kind']): Promise<StreamFault> {
    await this.#until(() => this.faults.some((fault) => fault.kind === kind));
    return this.faults.find((fault) => fault.kind === kind) as StreamFault;
  }

  async #until(holds: () => boolean): Promise<void> {
    while (!holds()) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }
}
