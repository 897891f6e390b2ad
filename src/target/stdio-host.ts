import type { Connection } from './connection.js';
import type { HostOptions } from './host.js';
import { SecondConnectionError } from './host-error.js';
import { LaunchedHost } from './launched-host.js';
import type { ServerProcess } from './server-process.js';
import { StreamConnection } from './stream-connection.js';

/** A launched server whose stdin and stdout are the connection. */
export class StdioHost extends LaunchedHost {
  readonly #connection: StreamConnection;
  #isConnected = false;

  constructor(server: ServerProcess, graceMs: number, options: HostOptions) {
    super(server, graceMs);
    this.#connection = new StreamConnection({ from: server.stdout, to: server.stdin }, options);
  }

  async connect(): Promise<Connection> {
    if (this.#isConnected) throw new SecondConnectionError();
    this.#isConnected = true;
    return this.#connection;
  }

  protected closeInput(): Promise<unknown> {
    this.#connection.closeInput();
    // A full pipe would keep the server from its orderly end.
    this.#connection.resume();
    return this.exited;
  }

  protected finishConnections(): Promise<void> {
    return this.#connection.finish();
  }
}
