import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { v7 } from 'uuid';

/** A frame as parsed; the tests look into it freely. */
// biome-ignore lint/suspicious/noExplicitAny: frames are what the test is about, their shape is checked by the schema.
export type Frame = Record<string, any>;

/** A frame of the server, with the method that a response answers. */
export interface Received {
  readonly frame: Frame;
  readonly answers: string | undefined;
}

export interface SpawnOptions {
  readonly stateDir: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts the other server. Where it listens it says so on standard error, which is then a pipe; else it is the test's. */
export function spawnServer({ stateDir, args = [], env = {} }: SpawnOptions): ChildProcess {
  const main = fileURLToPath(new URL('main.mjs', import.meta.url));
  const settings = { MSP_STATE_DIR: stateDir, OTHER_LATENCY_MS: '1', OTHER_STARTUP_MS: '0', ...env };
  return spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    stdio: ['pipe', 'pipe', args.includes('--listen') ? 'pipe' : 'inherit'],
  });
}

/** Where a server listens, from the line it writes when it does. */
export async function addressOf(server: ChildProcess): Promise<string | { address: string; port: number }> {
  if (server.stderr === null) throw new Error('the server was not told to listen');
  for await (const line of createInterface({ input: server.stderr })) {
    const address = /^other-server: at (.+)$/.exec(line)?.[1];
    if (address !== undefined) return JSON.parse(address);
  }
  throw new Error('the server went away before it listened');
}

/** A client of few words: it writes frames, keeps all that comes back, and waits for what it is told to wait for. */
export class Client {
  readonly received: Received[] = [];
  readonly #methods = new Map<string | number, string>();
  readonly #output: Writable;
  #arrival: (() => void)[] = [];
  #isOver = false;
  #lastId = 0;

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    output.on('error', () => undefined);
    let rest = '';
    input.setEncoding('utf8');
    input.on('error', () => undefined);
    input.on('data', (text: string) => {
      const lines = `${rest}${text}`.split('\n');
      // A line without an end is no frame: a killed server may leave one.
      rest = lines.pop() ?? '';
      for (const line of lines) this.#take(JSON.parse(line) as Frame);
    });
    input.on('close', () => {
      this.#isOver = true;
      this.#wake();
    });
  }

  /** Connects to a listening server, once it says where it listens. */
  static dial(address: string | { address: string; port: number }): Client {
    const target =
      typeof address === 'string' ? { path: address } : { host: address.address, port: address.port };
    const socket = connect(target);
    return new Client(socket, socket);
  }

  async greet(capabilities?: Frame): Promise<Frame> {
    const params = {
      clientInfo: { name: 'other_test', version: '1' },
      ...(capabilities && { capabilities }),
    };
    const response = await this.request('initialize', params);
    this.write({ jsonrpc: '2.0', method: 'initialized' });
    return response;
  }

  /** Sends a request and resolves with its whole response frame. */
  async request(method: string, params?: Frame): Promise<Frame> {
    const id = this.post(method, params);
    return this.waitFor((frame) => frame['id'] === id && !('method' in frame));
  }

  /** Sends a request under a new id and does not wait. */
  post(method: string, params?: Frame): number {
    this.#lastId += 1;
    this.#methods.set(this.#lastId, method);
    this.write({ jsonrpc: '2.0', id: this.#lastId, method, ...(params && { params }) });
    return this.#lastId;
  }

  /** A command under a fresh id, unless the params carry one. */
  async command(method: string, params: Frame): Promise<Frame> {
    return this.request(method, { commandId: v7(), ...params });
  }

  write(frame: Frame): void {
    this.#output.write(`${JSON.stringify(frame)}\n`);
  }

  writeRaw(bytes: string | Buffer): void {
    this.#output.write(bytes);
  }

  end(): void {
    this.#output.end();
  }

  /** The first frame, from those that came already on, that fits. */
  async waitFor(fits: (frame: Frame) => boolean, from = 0): Promise<Frame> {
    for (let next = from; ; next += 1) {
      while (next >= this.received.length) {
        if (this.#isOver) throw new Error('the server went away before the frame that was waited for');
        await new Promise<void>((resolve) => this.#arrival.push(resolve));
      }
      const frame = this.received[next]?.frame;
      if (frame !== undefined && fits(frame)) return frame;
    }
  }

  /** Waits for a view event or other notification. */
  async event(method: string, fits: (params: Frame) => boolean = () => true): Promise<Frame> {
    const frame = await this.waitFor((one) => one['method'] === method && fits(one['params']));
    return frame['params'];
  }

  /** Every durable event of a session, paged from genesis. */
  async history(sessionId: string): Promise<Frame[]> {
    const events: Frame[] = [];
    let cursor: string | undefined;
    do {
      const { result } = await this.request('view/page', {
        sessionId,
        limit: 1000,
        ...(cursor && { cursor }),
      });
      events.push(...result.events);
      cursor = result.nextCursor ?? undefined;
    } while (cursor !== undefined);
    return events;
  }

  #take(frame: Frame): void {
    this.received.push({ frame, answers: 'method' in frame ? undefined : this.#methods.get(frame['id']) });
    this.#wake();
  }

  #wake(): void {
    const waiting = this.#arrival;
    this.#arrival = [];
    for (const resolve of waiting) resolve();
  }
}
