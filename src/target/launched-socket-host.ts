import { addressText, type SocketAddress } from './address.js';
import type { Connection } from './connection.js';
import { DialError, dialUntil } from './dial.js';
import type { ExitStatus, Host, HostOptions, StopOutcome } from './host.js';
import { HostStartError } from './host-error.js';
import { exitText, quoted, type ServerProcess } from './server-process.js';
import { SocketConnections } from './socket-connections.js';
import { killGroup, stopProcess } from './stop.js';

/** A launched server that listens on a socket. What it prints is kept with its stderr. */
export class LaunchedSocketHost implements Host {
  readonly exited: Promise<ExitStatus>;
  readonly pid: number;
  readonly #server: ServerProcess;
  readonly #address: SocketAddress;
  readonly #limits: { readonly startTimeoutMs: number; readonly graceMs: number };
  readonly #options: HostOptions;
  readonly #connections = new SocketConnections();
  readonly #gone = new AbortController();
  #stopping: Promise<StopOutcome> | undefined;

  constructor(
    server: ServerProcess,
    address: SocketAddress,
    limits: { readonly startTimeoutMs: number; readonly graceMs: number },
    options: HostOptions,
  ) {
    this.exited = server.exited;
    this.pid = server.pid;
    this.#server = server;
    this.#address = address;
    this.#limits = limits;
    this.#options = options;
    server.stderr.drain(server.stdout);
    // A server need not read its stdin, nor outlive a write to it.
    server.stdin.on('error', () => {});
    server.exited.then(() => this.#gone.abort());
  }

  async connect(): Promise<Connection> {
    try {
      const socket = await dialUntil(this.#address, this.#limits.startTimeoutMs, this.#gone.signal);
      return this.#connections.add(socket, this.#options);
    } catch (error) {
      throw error instanceof DialError ? this.#notConnected(error) : error;
    }
  }

  stop(): Promise<StopOutcome> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async kill(): Promise<ExitStatus> {
    this.killNow();
    const exit = await this.exited;
    await killGroup(this.#server);
    await this.#connections.finish();
    return exit;
  }

  killNow(): void {
    this.#server.signal('SIGKILL');
  }

  stderrTail(): string {
    return this.#server.stderr.text();
  }

  async #stop(): Promise<StopOutcome> {
    const outcome = await stopProcess(this.#server, {
      graceMs: this.#limits.graceMs,
      closeInput: () => this.#closeInput(),
    });
    await this.#connections.finish();
    return outcome;
  }

  /** A listening server has no stdin to end on: once it has let go of its connections, SIGTERM is the orderly request. */
  #closeInput(): Promise<void> {
    this.#server.stdin.end();
    return this.#connections.closeInput();
  }

  #notConnected(error: DialError): HostStartError {
    const command = quoted(this.#server.command);
    const where = addressText(this.#address);
    const exit = this.#server.exitStatus();
    return exit === undefined
      ? new HostStartError(
          'notListening',
          `${command} runs, but nothing accepted a connection at ${where} within ${this.#limits.startTimeoutMs} ms ` +
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
