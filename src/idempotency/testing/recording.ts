import { fileURLToPath } from 'node:url';
import { bundledSchemaPath, loadBundle } from '../../schema/load-bundle.js';
import type { Connection } from '../../target/connection.js';
import type { BehaviourName, Scenario, Step } from '../../transcript/scenario.js';
import { MemoryHost } from './memory-host.js';
import { Disk, type Json } from './server-state.js';

/** One request of the client's; `until` names the event that the client waits for before it goes on. */
export interface Call {
  readonly method: string;
  readonly params: Json;
  readonly until?: string;
  readonly behaviour?: BehaviourName;
}

export const bundle = await loadBundle(bundledSchemaPath());

/** Plays the calls to the honest server and keeps what goes over the wire as a scenario. */
export async function recorded(id: string, calls: readonly Call[]): Promise<Scenario> {
  const host = new MemoryHost(new Disk(), {}, () => 0);
  const tape = new Tape(await host.connect());
  const behaviours: Record<string, BehaviourName> = {};
  await tape.call('initialize', { clientInfo: { name: 'recorder', version: '1' } });
  tape.tell('initialized');
  for (const { method, params, until, behaviour } of calls) {
    if (behaviour !== undefined) behaviours[String(tape.steps.length + 1)] = behaviour;
    const from = tape.steps.length;
    await tape.call(method, params);
    if (until !== undefined) await tape.event(until, from);
  }
  await host.kill();
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const manifest = { kind: 'mspTranscript', scenario: id, conformance: { behaviours } };
  return { id, folder, transcriptPath: folder, manifest, steps: tape.steps };
}

/** Writes down both directions of one connection. */
class Tape {
  readonly steps: Step[] = [];
  readonly #waiting = new Set<() => void>();
  #nextId = 1;

  constructor(private readonly connection: Connection) {
    connection.onFrame(({ frame }) => {
      this.#note('server', frame.raw);
      for (const look of [...this.#waiting]) look();
    });
  }

  async call(method: string, params: Json): Promise<void> {
    const id = this.#nextId++;
    const from = this.steps.length;
    this.#send({ jsonrpc: '2.0', id, method, params });
    await this.#until((frame) => frame['id'] === id && frame['method'] === undefined, from);
    await new Promise((resolve) => setImmediate(resolve));
  }

  tell(method: string): void {
    this.#send({ jsonrpc: '2.0', method });
  }

  event(method: string, from: number): Promise<void> {
    return this.#until((frame) => frame['method'] === method, from);
  }

  #send(frame: Json): void {
    const line = JSON.stringify(frame);
    this.#note('client', line);
    void this.connection.send(line);
  }

  #note(dir: 'client' | 'server', raw: string): void {
    this.steps.push({ dir, raw, line: this.steps.length + 1 });
  }

  #until(isWanted: (frame: Json) => boolean, from: number): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        const isThere = this.steps
          .slice(from)
          .some((step) => 'raw' in step && step.dir === 'server' && isWanted(JSON.parse(step.raw)));
        if (!isThere) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
      look();
    });
  }
}
