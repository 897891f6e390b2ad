import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { LineSplitter } from '../../src/wire/line-splitter.js';

export type Json = Readonly<Record<string, unknown>>;

/** A response: exactly one of the two. */
export interface Response {
  readonly result?: Json;
  readonly error?: { readonly message: string; readonly data?: Json };
}

/** One connection of the load. A request whose answer never comes, because the server was killed, gives undefined. */
export class Client {
  readonly #waiting = new Map<number, (response: Response | undefined) => void>();
  #lastId = 0;
  #isClosed = false;

  private constructor(private readonly socket: Socket) {
    const splitter = new LineSplitter({ capBytes: 16 * 1024 * 1024 });
    socket.on('data', (chunk: Buffer) => {
      for (const event of splitter.push(chunk)) if (event.kind === 'line') this.#take(event.bytes.toString());
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#isClosed = true;
      for (const settle of this.#waiting.values()) settle(undefined);
      this.#waiting.clear();
    });
  }

  /** Connects as soon as somebody listens and shakes hands. Rejects when nobody does for long. */
  static async open(path: string): Promise<Client> {
    const client = new Client(await dial(path));
    await client.must('initialize', { clientInfo: { name: 'kill_loop', version: '1.0.0' } });
    client.#write({ method: 'initialized' });
    return client;
  }

  ask(method: string, params: Json): Promise<Response | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    this.#lastId += 1;
    const id = this.#lastId;
    this.#write({ id, method, params });
    return new Promise((resolve) => this.#waiting.set(id, resolve));
  }

  /** As `ask`, where only a result will do. */
  async must(method: string, params: Json): Promise<Json> {
    const response = await this.ask(method, params);
    if (response?.result !== undefined) return response.result;
    throw new Error(`${method}: ${response?.error?.message ?? 'the connection ended'}`);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    const closed = once(this.socket, 'close');
    this.socket.destroy();
    await closed;
  }

  #write(frame: Json): void {
    this.socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`);
  }

  #take(line: string): void {
    const frame = JSON.parse(line) as Response & { readonly id?: number; readonly method?: string };
    if (frame.method !== undefined) return;
    const settle = this.#waiting.get(frame.id ?? 0);
    this.#waiting.delete(frame.id ?? 0);
    settle?.(frame);
  }
}

const ATTEMPTS = 1500;
const PAUSE_MS = 20;

/** A server that has just been started does not listen yet; nothing but trying tells when it does. */
async function dial(path: string): Promise<Socket> {
  for (let attempt = 0; ; attempt += 1) {
    const socket = connect({ path });
    try {
      await once(socket, 'connect');
      return socket;
    } catch (error) {
      socket.destroy();
      if (attempt === ATTEMPTS) throw error;
    }
    await pause(PAUSE_MS);
  }
}
