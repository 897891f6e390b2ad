import type { Connection } from './connection.js';
import type { ExitStatus, Host, StopOutcome } from './host.js';
import type { ServerProcess } from './server-process.js';
import { killGroup, stopProcess } from './stop.js';

/** A server process of ours: how it is stopped and killed, whatever its connections are. */
export abstract class LaunchedHost implements Host {
  readonly exited: Promise<ExitStatus>;
  readonly pid: number;
  #stopping: Promise<StopOutcome> | undefined;

  constructor(
    protected readonly server: ServerProcess,
    /** Given to each step of an orderly stop, in milliseconds. */
    private readonly graceMs: number,
  ) {
    this.exited = server.exited;
    this.pid = server.pid;
  }

  abstract connect(): Promise<Connection>;

  stop(): Promise<StopOutcome> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async kill(): Promise<ExitStatus> {
    this.killNow();
    const exit = await this.exited;
    await killGroup(this.server);
    await this.finishConnections();
    return exit;
  }

  killNow(): void {
    this.server.signal('SIGKILL');
  }

  stderrTail(): string {
    return this.server.stderr.text();
  }

  async #stop(): Promise<StopOutcome> {
    const outcome = await stopProcess(this.server, {
      graceMs: this.graceMs,
      closeInput: () => this.closeInput(),
    });
    await this.finishConnections();
    return outcome;
  }

  /** The orderly request to end. Resolves when the server has followed it as far as the connections tell. */
  protected abstract closeInput(): Promise<unknown>;

  /** Delivers what the dead server had written, then closes. */
  protected abstract finishConnections(): Promise<void>;
}
