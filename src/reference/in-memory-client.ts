import { v7 as uuidV7 } from 'uuid';
import { Connection } from './connection.js';
import type { ErrorObject } from './errors.js';
import type { Host } from './host.js';
import type { JsonObject } from './json.js';
import { SPAWNER_CAPABILITIES } from './stdio.js';

/** A client within the process: what it sends goes through the server's own bytes, what it gets comes parsed. */
export class InMemoryClient {
  /** Every frame of the server, in order. */
  readonly frames: JsonObject[] = [];
  /** The same as they were written. */
  readonly lines: string[] = [];
  readonly connection: Connection;
  /** What the transport claims is not taken yet. */
  backlogBytes = 0;
  readonly #watchers = new Set<() => void>();
  /** The method of each request that this client sent, by its id. */
  readonly methods = new Map<unknown, string>();
  #ids = 0;

  constructor(readonly host: Host) {
    const transport = {
      write: (text: string) => this.#take(text),
      backlog: () => this.backlogBytes,
      end: () => undefined,
    };
    this.connection = new Connection(host, transport, SPAWNER_CAPABILITIES);
    host.connections.add(this.connection);
  }

  sendText(text: string): void {
    this.connection.receive(Buffer.from(text));
  }

  send(frame: JsonObject): void {
    if (frame['id'] !== undefined && typeof frame['method'] === 'string')
      this.methods.set(frame['id'], frame['method']);
    this.sendText(`${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`);
  }

  /** Sends a request and waits for its answer. */
  async call(method: string, params?: JsonObject): Promise<{ result?: JsonObject; error?: ErrorObject }> {
    this.#ids += 1;
    const id = this.#ids;
    this.send({ id, method, ...(params && { params }) });
    return (await this.next((frame) => frame['id'] === id && frame['method'] === undefined)) as never;
  }

  /** The result of a request. Throws what it was refused with. */
  async result(method: string, params?: JsonObject): Promise<JsonObject> {
    const { result, error } = await this.call(method, params);
    if (!result) throw Object.assign(new Error(`${method}: ${JSON.stringify(error)}`), { error });
    return result;
  }

  /** The error that a request is refused with. Throws if it is not. */
  async refusal(method: string, params?: JsonObject): Promise<ErrorObject> {
    const { result, error } = await this.call(method, params);
    if (!error) throw new Error(`${method} was not refused: ${JSON.stringify(result)}`);
    return error;
  }

  async initialize(capabilities?: JsonObject): Promise<JsonObject> {
    const clientInfo = { name: 'in_memory', version: '1' };
    const result = await this.result('initialize', { clientInfo, ...(capabilities && { capabilities }) });
    this.send({ method: 'initialized' });
    return result;
  }

  /** Starts a session with a command of its own. Answers its id. */
  async startSession(params: JsonObject = {}): Promise<string> {
    const { session } = await this.result('session/start', { commandId: uuidV7(), ...params });
    return (session as { readonly sessionId: string }).sessionId;
  }

  /** Submits a text as a turn. Answers its ack. */
  submit(sessionId: string, text: string, members: JsonObject = {}): Promise<JsonObject> {
    const input = [{ type: 'text', text }];
    return this.result('turn/start', { sessionId, commandId: uuidV7(), input, ...members });
  }

  /** Runs a turn to its end. Answers the params of its terminal. */
  async run(sessionId: string, text: string, members: JsonObject = {}): Promise<JsonObject> {
    const { turnId } = await this.submit(sessionId, text, members);
    return this.event('turn/completed', { turnId });
  }

  /** Every durable event of a session. */
  async page(
    sessionId: string,
  ): Promise<readonly { readonly method: string; readonly params: JsonObject }[]> {
    const { events } = await this.result('view/page', { sessionId, limit: 1000 });
    return events as { method: string; params: JsonObject }[];
  }

  /** The first frame that fits, out of those that came and those that will. */
  async next(fits: (frame: JsonObject) => boolean): Promise<JsonObject> {
    for (;;) {
      const found = this.frames.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => this.#watchers.add(resolve));
    }
  }

  /** The first notification of a method whose params have these members. */
  event(method: string, members: JsonObject = {}): Promise<JsonObject> {
    return this.next((frame) => frame['method'] === method && hasMembers(frame['params'], members)).then(
      (frame) => frame['params'] as JsonObject,
    );
  }

  /** The params of every notification of a method so far. */
  events(method: string): readonly JsonObject[] {
    return this.frames
      .filter((frame) => frame['method'] === method && frame['id'] === undefined)
      .map((frame) => frame['params'] as JsonObject);
  }

  #take(text: string): void {
    this.lines.push(text);
    this.frames.push(JSON.parse(text) as JsonObject);
    for (const watcher of this.#watchers) watcher();
    this.#watchers.clear();
  }
}

function hasMembers(value: unknown, members: JsonObject): boolean {
  const object = (value ?? {}) as JsonObject;
  return Object.entries(members).every(([name, member]) => object[name] === member);
}
