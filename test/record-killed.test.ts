import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadScenario } from '../src/transcript/load-scenario.js';

const PROGRAM = join(import.meta.dirname, '..', 'bin', 'msp-conformance.js');
const CLIENT = join(import.meta.dirname, 'record', 'told-client.mjs');
const SERVER = join(import.meta.dirname, 'record', 'told-server.mjs');

const VICTIMS = ['recorder', 'client', 'server'] as const;
const SIGNALS = ['SIGKILL', 'SIGTERM'] as const;
/** How many lines the client has read from the server when the signal is sent. */
const MOMENTS = [1, 2, 9] as const;
const CASES = VICTIMS.flatMap((victim) =>
  SIGNALS.flatMap((signal) => MOMENTS.map((moment) => ({ victim, signal, moment }))),
);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('what is on disk after a sudden end, over stdio', () => {
  it.each(CASES)('$victim: $signal after $moment lines', async ({ victim, signal, moment }) => {
    const server = [process.execPath, SERVER, '--state', join(folder, 'state')];
    const recorder = [process.execPath, PROGRAM, 'record', '--out', join(folder, 'out'), '--id', 'made'];
    const told = new Told(spawn(process.execPath, [CLIENT, ...recorder, '--', ...server], { stdio: 'pipe' }));
    const pids = { client: told.pid, recorder: told.announced('recorder'), server: told.announced('server') };
    await told.received(moment);
    process.kill(await pids[victim], signal);
    await told.ended;
    await expectPrefix(told, isSudden(victim, signal));
  });
});

describe('what is on disk after a sudden end, over a socket', () => {
  it.each(CASES)('$victim: $signal after $moment lines', async ({ victim, signal, moment }) => {
    const [up, down] = [join(folder, 'up'), join(folder, 'down')];
    const state = ['--state', join(folder, 'state'), '--listen', `unix:${up}`];
    const server = new Told(spawn(process.execPath, [SERVER, ...state], { stdio: 'pipe' }));
    const place = ['--out', join(folder, 'out'), '--id', 'made', '--listen', `unix:${down}`, '--unix', up];
    const recorder = new Told(spawn(process.execPath, [PROGRAM, 'record', ...place], { stdio: 'pipe' }));
    await recorder.said(/listening at/);
    const client = new Told(spawn(process.execPath, [CLIENT, `unix:${down}`], { stdio: 'pipe' }));
    await client.received(moment);
    ({ client, recorder, server })[victim].kill(signal);
    if (victim === 'recorder') await recorder.ended;
    else await recorder.said(/recorded .*made/);
    for (const one of [client, recorder, server]) {
      one.kill('SIGTERM');
      await one.ended;
    }
    await expectPrefix(client, isSudden(victim, signal));
  });
});

/** Nobody can tidy up after a recorder that was killed while it set its manifest in place of the one before. */
function isSudden(victim: string, signal: string): boolean {
  return victim === 'recorder' && signal === 'SIGKILL';
}

/**
 * The recording is a valid scenario, and in each direction the beginning of what the client saw, or goes on where the
 * client was cut off: at most the frame in flight is missing.
 */
async function expectPrefix(client: Told, mayLeaveDraft: boolean): Promise<void> {
  const place = join(folder, 'out', 'made');
  const { steps, manifest } = await loadScenario(place);
  expect(manifest).toMatchObject({ scenario: 'made', provenance: 'host-generated' });
  expect(await readdir(join(folder, 'out'))).toEqual(['made']);
  const names = (await readdir(place)).filter((name) => !(mayLeaveDraft && name.endsWith('.partial')));
  expect(names.sort()).toEqual(['manifest.json', 'transcript.ndjson']);
  for (const [dir, seen] of [
    ['client', client.sent],
    ['server', client.read],
  ] as const) {
    const recorded = steps.flatMap((step) => (step.dir === dir ? [step.raw] : []));
    const shared = Math.min(recorded.length, seen.length);
    expect(recorded.slice(0, shared)).toEqual(seen.slice(0, shared));
    expect(recorded.length).toBeGreaterThanOrEqual(seen.length - IN_FLIGHT);
  }
  const validation = spawn(process.execPath, [PROGRAM, 'validate', place], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  expect(await once(validation, 'exit')).toEqual([0, null]);
}

/** What a client may have sent and read that was never handed over, or handed over and not yet written down. */
const IN_FLIGHT = 2;

/** A process of which the lines are remembered, those of a client sorted by direction. */
class Told {
  readonly sent: string[] = [];
  readonly read: string[] = [];
  readonly #lines: string[] = [];
  readonly ended: Promise<unknown>;
  #heard: () => void = () => {};

  constructor(private readonly child: ChildProcess) {
    this.ended = once(child, 'close');
    for (const stream of [child.stdout, child.stderr])
      if (stream) createInterface({ input: stream }).on('line', (line) => this.#hear(line));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  async received(count: number): Promise<void> {
    await this.#until(() => this.read.length >= count);
  }

  async said(pattern: RegExp): Promise<void> {
    await this.#until(() => this.#lines.some((line) => pattern.test(line)));
  }

  async announced(name: string): Promise<number> {
    const find = () => this.#lines.find((line) => line.startsWith(`${name} `));
    await this.#until(() => find() !== undefined);
    return Number(find()?.slice(name.length));
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await new Promise<void>((resolve) => this.#listen(resolve));
  }

  #listen(resolve: () => void): void {
    const others = this.#heard;
    this.#heard = () => {
      others();
      resolve();
    };
  }

  #hear(line: string): void {
    if (line.startsWith('> ')) this.sent.push(line.slice(2));
    else if (line.startsWith('< ')) this.read.push(line.slice(2));
    else this.#lines.push(line);
    const heard = this.#heard;
    this.#heard = () => {};
    heard();
  }
}
