import type { Connection } from './connection.js';
import type { ExitStatus, Host, HostOptions, StopOutcome } from './host.js';
import { SecondConnectionError } from './host-error.js';
import type { ServerProcess } from './server-process.js';
import { killGroup, stopProcess } from './stop.js';
import { StreamConnection } from './stream-connection.js';

/** A launched server whose stdin and stdout are the connection. */
export class StdioHost implements Host {
  readonly exited: Promise<ExitStatus>;
  readonly pid: number;
  readonly #server: ServerProcess;
  readonly #graceMs: number;
  readonly #connection: StreamConnection;
  #isConnected = false;
  #stopping: Promise<StopOutcome> | undefined;

  constructor(server: ServerProcess, graceMs: number, options: HostOptions) {
    this.exited = server.exited;
    this.pid = server.pid;
    this.#server = server;
    this.#graceMs = graceMs;
    this.#connection = new StreamConnection({ from: server.stdout, to: server.stdin }, options);
  }

  async connect(): Promise<Connection> {
    if (this.#isConnected) throw new SecondConnectionError();
    this.#isConnected = true;
    return this.#connection;
  }

  stop(): Promise<StopOutcome> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async kill(): Promise<ExitStatus> {
    this.killNow();
    const exit = await this.exited;
    await killGroup(this.#server);
    await this.#connection.finish();
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
      graceMs: this.#graceMs,
      closeInput: () => this.#closeInput(),
    });
    await this.#connection.finish();
    return outcome;
  }

  #closeInput(): Promise<unknown> {
    this.#connection.closeInput();
    // A full pipe would keep the server from its orderly end.
    this.#connection.resume();
    return this.exited;
  }
}
