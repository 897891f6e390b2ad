import type { Connection, ReceivedFrame } from '../../target/connection.js';
import type { ExitStatus, Host, StopOutcome } from '../../target/host.js';
import { HostStartError } from '../../target/host-error.js';
import { decodeFrame } from '../../wire/decode.js';
import { type Incoming, MemoryServer, type Peer } from './memory-server.js';
import type { Broken } from './promises-broken.js';
import type { Disk, Json } from './server-state.js';

/** A life of the in-memory server as the harness meets it: connections that carry lines, a stop, a kill. */
export class MemoryHost implements Host {
  readonly pid = undefined;
  readonly exited: Promise<ExitStatus>;
  readonly #server: MemoryServer;
  readonly #connections: MemoryConnection[] = [];
  readonly #limit: number;
  #exit: ExitStatus | undefined;
  #resolveExit: (exit: ExitStatus) => void = () => {};

  constructor(
    disk: Disk,
    broken: Broken,
    private readonly clock: () => number,
  ) {
    this.#limit = broken.connections ?? Number.POSITIVE_INFINITY;
    if (broken.starts?.(disk.lives + 1) === false)
      throw new HostStartError('exited', 'the server ended at once');
    this.#server = new MemoryServer(disk, broken, () => this.#end({ code: 9, signal: null }));
    this.exited = new Promise((resolve) => {
      this.#resolveExit = resolve;
    });
  }

  async connect(): Promise<Connection> {
    if (this.#connections.length >= this.#limit) throw new HostStartError('notListening', 'refused');
    const connection = new MemoryConnection(this.#server, this.#connections.length + 1, this.clock);
    this.#connections.push(connection);
    return connection;
  }

  async stop(): Promise<StopOutcome> {
    if (this.#exit !== undefined) return { endedBy: 'before', exit: this.#exit, leftProcesses: false };
    this.#server.drain();
    return { endedBy: 'inputClosed', exit: this.#end({ code: 0, signal: null }), leftProcesses: false };
  }

  async kill(): Promise<ExitStatus> {
    return this.#end({ code: null, signal: 'SIGKILL' });
  }

  killNow(): void {
    this.#end({ code: null, signal: 'SIGKILL' });
  }

  stderrTail(): string {
    return this.#exit?.code === 9 ? 'the last words\n' : '';
  }

  #end(exit: ExitStatus): ExitStatus {
    if (this.#exit !== undefined) return this.#exit;
    this.#exit = exit;
    this.#server.end();
    for (const connection of this.#connections) connection.end('end');
    this.#resolveExit(exit);
    return exit;
  }
}

class MemoryConnection implements Connection, Peer {
  readonly closed: Promise<'end' | 'reset' | 'local'>;
  readonly pendingBytes = 0;
  #close: (why: 'end' | 'local') => void = () => {};
  #isOpen = true;
  #listener: ((received: ReceivedFrame) => void) | undefined;

  constructor(
    private readonly server: MemoryServer,
    readonly ordinal: number,
    private readonly clock: () => number,
  ) {
    this.closed = new Promise((resolve) => {
      this.#close = resolve;
    });
    server.join(this);
  }

  async send(line: string | Uint8Array): Promise<void> {
    return this.sendRaw(Buffer.from(line));
  }

  async sendRaw(bytes: Uint8Array): Promise<void> {
    const lines = Buffer.from(bytes)
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '');
    const requests = lines.flatMap(requestIn);
    const isPipelined = requests.length > 1;
    setImmediate(() => {
      for (const request of requests)
        if (this.#isOpen) void this.server.receive(this, { ...request, isPipelined });
    });
  }

  /** What the server says goes out at once; a dead server says nothing. */
  write(frame: Json): void {
    if (!this.#isOpen) return;
    const line = JSON.stringify({ jsonrpc: '2.0', ...frame });
    this.#listener?.({ frame: decodeFrame(line), atMs: this.clock() });
  }

  onFrame(listener: (received: ReceivedFrame) => void): void {
    this.#listener = listener;
  }

  onFault(): void {}

  pause(): void {}

  resume(): void {}

  closeInput(): void {
    this.destroy();
  }

  destroy(): void {
    this.end('local');
  }

  end(why: 'end' | 'local'): void {
    this.#isOpen = false;
    this.server.leave(this);
    this.#close(why);
  }
}

function requestIn(line: string): Omit<Incoming, 'isPipelined'>[] {
  const { id, method, params } = JSON.parse(line) as Json;
  return id === undefined || typeof method !== 'string'
    ? []
    : [{ id, method, params: (params ?? {}) as Json }];
}
