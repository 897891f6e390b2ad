import { addressText, type SocketAddress } from './address.js';
import type { Connection } from './connection.js';
import { DialError, dialUntil } from './dial.js';
import type { ExitStatus, Host, HostOptions, StopOutcome } from './host.js';
import { HostStartError } from './host-error.js';
import { SocketConnections } from './socket-connections.js';
import { within } from './within.js';

/** A server that somebody else runs. Stopping such a host only lets go of it; the restart command is run by its successor. */
export class AttachedHost implements Host {
  readonly exited: Promise<ExitStatus>;
  readonly pid = undefined;
  readonly #address: SocketAddress;
  readonly #limits: { readonly startTimeoutMs: number; readonly graceMs: number };
  readonly #options: HostOptions;
  readonly #killServer: () => Promise<void>;
  readonly #connections = new SocketConnections();
  readonly #gone = new AbortController();
  #settleExited: (exit: ExitStatus) => void = () => {};
  #killing: Promise<void> | undefined;

  constructor(
    address: SocketAddress,
    limits: { readonly startTimeoutMs: number; readonly graceMs: number },
    options: HostOptions,
    killServer: () => Promise<void>,
  ) {
    this.#address = address;
    this.#limits = limits;
    this.#options = options;
    this.#killServer = killServer;
    this.exited = new Promise((resolve) => {
      this.#settleExited = resolve;
    });
  }

  async connect(): Promise<Connection> {
    try {
      const socket = await dialUntil(this.#address, this.#limits.startTimeoutMs, this.#gone.signal);
      return this.#connections.add(socket, this.#options);
    } catch (error) {
      throw error instanceof DialError ? this.#notConnected(error) : error;
    }
  }

  async stop(): Promise<StopOutcome> {
    this.#gone.abort();
    await within(this.#connections.closeInput(), this.#limits.graceMs);
    this.#connections.destroy();
    this.#settleExited(UNKNOWN_EXIT);
    return { endedBy: 'disconnected', exit: UNKNOWN_EXIT, leftProcesses: false };
  }

  /** Rejects with `HostStartError` when there is no kill command or it fails. */
  async kill(): Promise<ExitStatus> {
    this.killNow();
    await this.#killing;
    await this.#connections.finish();
    return UNKNOWN_EXIT;
  }

  /** As soon as the kill command does it: its failure is told by `kill`. */
  killNow(): void {
    this.#gone.abort();
    this.#killing ??= this.#killServer();
    this.#killing.catch(() => {}).then(() => this.#settleExited(UNKNOWN_EXIT));
  }

  stderrTail(): string {
    return '';
  }

  #notConnected(error: DialError): HostStartError {
    return new HostStartError(
      'notListening',
      `nothing accepted a connection at ${addressText(this.#address)} within ${this.#limits.startTimeoutMs} ms ` +
        `(${error.code}): start the server, check the address, or raise --start-timeout`,
    );
  }
}

const UNKNOWN_EXIT: ExitStatus = { code: null, signal: null };
