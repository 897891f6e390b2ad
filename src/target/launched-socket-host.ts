import { addressText, type SocketAddress } from './address.js';
import type { Connection } from './connection.js';
import { DialError, dialUntil } from './dial.js';
import type { HostOptions } from './host.js';
import { HostStartError } from './host-error.js';
import { LaunchedHost } from './launched-host.js';
import { exitText, quoted, type ServerProcess } from './server-process.js';
import { SocketConnections } from './socket-connections.js';

/** A launched server that listens on a socket. What it prints is kept with its stderr. */
export class LaunchedSocketHost extends LaunchedHost {
  readonly #address: SocketAddress;
  readonly #startTimeoutMs: number;
  readonly #options: HostOptions;
  readonly #connections = new SocketConnections();
  readonly #gone = new AbortController();

  constructor(
    server: ServerProcess,
    address: SocketAddress,
    limits: { readonly startTimeoutMs: number; readonly graceMs: number },
    options: HostOptions,
  ) {
    super(server, limits.graceMs);
    this.#address = address;
    this.#startTimeoutMs = limits.startTimeoutMs;
    this.#options = options;
    server.stderr.drain(server.stdout);
    // A server need not read its stdin, nor outlive a write to it.
    server.stdin.on('error', () => {});
    server.exited.then(() => this.#gone.abort());
  }

  async connect(): Promise<Connection> {
    try {
      const socket = await dialUntil(this.#address, this.#startTimeoutMs, this.#gone.signal);
      return this.#connections.add(socket, this.#options);
    } catch (error) {
      throw error instanceof DialError ? this.#notConnected(error) : error;
    }
  }

  /** A listening server has no stdin to end on: once it has let go of its connections, SIGTERM is the orderly request. */
  protected closeInput(): Promise<void> {
    this.server.stdin.end();
    return this.#connections.closeInput();
  }

  protected finishConnections(): Promise<void> {
    return this.#connections.finish();
  }

  #notConnected(error: DialError): HostStartError {
    const command = quoted(this.server.command);
    const where = addressText(this.#address);
    const exit = this.server.exitStatus();
    return exit === undefined
      ? new HostStartError(
          'notListening',
          `${command} runs, but nothing accepted a connection at ${where} within ${this.#startTimeoutMs} ms ` +
            `(${error.code}): check the address, or raise --start-timeout`,
          this.stderrTail(),
        )
      : new HostStartError(
          'exited',
          `${command} ended (${exitText(exit)}) before it could be connected to at ${where}`,
          this.stderrTail(),
        );
  }
}
