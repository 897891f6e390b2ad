import type { PassName } from '../checks/finding.js';
import type { Findings } from '../checks/findings.js';
import type { ConnectionEnd } from '../checks/stream-checker.js';
import type { Bundle } from '../schema/bundle.js';
import type { Connection } from '../target/connection.js';
import { type ExitStatus, type Host, HostStartError, openHost, type StopOutcome } from '../target/host.js';
import type { TargetSpec } from '../target/spec.js';
import type { Workbench } from '../target/workbench.js';
import type { BehaviourName } from '../transcript/scenario.js';
import type { Frame } from '../wire/frame.js';
import { DEFAULT_FRAME_LIMIT_BYTES } from '../wire/line-splitter.js';
import type { StreamFault } from '../wire/stream-fault.js';
import { type Answer, Exchange, isRecord } from './exchange.js';
import { describeExit, judgeExit, judgeListenersExit } from './judge-exit.js';
import type { Trace } from './trace.js';
import { Watch } from './watch.js';

export interface StageOptions {
  readonly spec: TargetSpec;
  readonly bench: Workbench;
  readonly bundle: Bundle;
  readonly findings: Findings;
  readonly trace: Trace;
  readonly frameLimitBytes: number;
  /** Time limit of one answer, in milliseconds. */
  readonly timeoutMs: number;
  /** True when every server frame is compared in order (`--match exact`). */
  readonly keepsOrder: boolean;
  /** Methods that the recording has from the server although the bundle may not know them. */
  readonly recordedMethods: ReadonlySet<string>;
  /** Servers that are known by the name they give in the handshake. */
  readonly knownServer: (serverName: string) => KnownServer | undefined;
}

/** What the harness knows of a server that it recognises; used where the target says nothing. */
export interface KnownServer {
  readonly behaviours: Readonly<Partial<Record<BehaviourName, string>>>;
  /** The server takes its frame limit from `MSP_FRAME_LIMIT_BYTES` in its environment. */
  readonly readsFrameLimit: boolean;
}

export interface ServerIdentity {
  readonly name: string;
  readonly version: string;
  readonly fingerprint: string | null;
  readonly sessionDurability: string | null;
}

/**
 * The server under test over all its lives in one workbench, and the connection that is spoken over now. Every
 * connection is watched by the stream rules from its first frame to its last.
 */
export class Stage {
  #host: Host | undefined;
  #exchange: Exchange | undefined;
  readonly #watch: Watch;
  readonly #others: Watch[] = [];
  #lives = 0;
  #hasSpoken = false;
  #pass: PassName = 'replay';
  #identity: ServerIdentity | undefined;
  /** Ids of all commands that drives have sent on this stage. */
  readonly knownCommands = new Set<string>();
  /** Turns that have been seen to start, over all connections. */
  readonly startedTurns = new Set<string>();

  constructor(readonly options: StageOptions) {
    this.#watch = this.#newWatch();
  }

  /** How many connections there have been. */
  get lives(): number {
    return this.#lives;
  }

  /** What is seen from now on, on every connection, belongs to this pass. */
  enter(pass: PassName): void {
    this.#pass = pass;
    for (const watch of [this.#watch, ...this.#others]) watch.enter(pass);
  }

  /** The server has sent something. */
  get hasSpoken(): boolean {
    return this.#hasSpoken;
  }

  get workspace(): string {
    return this.options.bench.workspace;
  }

  get exchange(): Exchange {
    if (this.#exchange === undefined) throw new Error('The stage is not open.');
    return this.#exchange;
  }

  get host(): Host {
    if (this.#host === undefined) throw new Error('The stage is not open.');
    return this.#host;
  }

  /** What the server said of itself in its latest handshake. */
  get identity(): ServerIdentity | undefined {
    return this.#identity;
  }

  /** The input text that brings about a behaviour on this server, if it is known. */
  behaviourText(behaviour: BehaviourName): string | undefined {
    return this.options.spec.behaviours[behaviour] ?? this.#known?.behaviours[behaviour];
  }

  /** True when the server runs under the frame limit that the scenario asks for. */
  get hasFrameLimit(): boolean {
    const { frameLimitBytes, spec } = this.options;
    if (frameLimitBytes === DEFAULT_FRAME_LIMIT_BYTES || this.#known?.readsFrameLimit) return true;
    return [...(spec.command ?? []), ...Object.values(spec.env)].some((word) =>
      word.includes('{frameLimitBytes}'),
    );
  }

  /** The last lines of the server's stderr; empty before it was started. */
  stderrTail(): string {
    return this.#host?.stderrTail() ?? '';
  }

  get #known(): KnownServer | undefined {
    return this.options.knownServer(this.#identity?.name ?? '');
  }

  /** Starts a server and connects. Rejects with `HostStartError`. */
  async open(): Promise<void> {
    const { spec, bench, frameLimitBytes, trace } = this.options;
    trace.note('control', this.#host === undefined ? 'start the server' : 'start the server again');
    this.#host = await openHost(spec, bench, { frameLimitBytes, clock: trace.clock });
    this.#attach(await this.#host.connect());
  }

  /** A further connection beside the present one (sockets only); it is watched, but not spoken over by default. */
  async connectBeside(): Promise<Exchange> {
    this.options.trace.note('control', 'open another connection');
    const watch = this.#newWatch();
    this.#others.push(watch);
    return this.#converse(await this.host.connect(), watch);
  }

  /**
   * Rejects with `HostStartError` when the program that was launched has ended without a word: it never was a
   * server, so there is nothing to judge.
   */
  async assertStarted(): Promise<void> {
    const { command } = this.options.spec;
    if (this.#hasSpoken || this.#lives !== 1 || command === undefined) return;
    const exit = await this.host.kill();
    // What only closed its output was killed just now.
    if (exit.signal === 'SIGKILL') return;
    throw new HostStartError(
      'exited',
      `${command.join(' ')} ended (${describeExit(exit)}) before it had sent anything: it did not start as a server. ` +
        'Run the command by hand: it must stay, and speak the protocol on its stdin and stdout.',
      this.stderrTail(),
    );
  }

  /** Carries out a control line of a transcript. */
  async control(op: 'restart' | 'crash' | 'reconnect'): Promise<void> {
    if (op === 'restart') await this.stop('replay');
    if (op === 'crash') await this.kill();
    if (op === 'reconnect') {
      this.exchange.connection.destroy();
      await this.exchange.connection.closed;
      this.#watch.connectionClosed('reconnect');
      this.options.trace.note('control', 'connect again');
      this.#attach(await this.host.connect());
      return;
    }
    await this.open();
  }

  /** Ends the server in order and judges how it went. */
  async stop(pass: PassName): Promise<StopOutcome> {
    const { trace, spec } = this.options;
    this.enter(pass);
    trace.note('control', 'close the input and wait for the exit');
    const outcome = await this.host.stop();
    this.#watch.connectionClosed(endOf(outcome));
    if (spec.command === undefined) return outcome;
    const ground = { findings: this.options.findings, graceMs: spec.graceMs, evidence: trace.tail(6) };
    if (spec.address.kind === 'stdio') judgeExit(outcome, pass, ground);
    else judgeListenersExit(outcome, pass, ground);
    return outcome;
  }

  async kill(): Promise<ExitStatus> {
    this.options.trace.note('control', 'SIGKILL');
    const status = await this.host.kill();
    this.#watch.connectionClosed('crash');
    return status;
  }

  /** SIGKILL at this very moment; `afterKill` waits for the end. */
  killNow(): void {
    this.host.killNow();
    this.options.trace.note('control', 'SIGKILL');
  }

  async afterKill(): Promise<void> {
    await this.host.kill();
    await this.exchange.connection.closed;
    this.#watch.connectionClosed('crash');
  }

  /** Ends whatever runs, without a verdict on how, and hands in what the stream rules found. */
  async close(): Promise<void> {
    if (this.#exchange?.isClosed) this.#watch.connectionClosed('server-closed');
    // A server that is only connected to goes on running; the harness just leaves.
    if (this.options.spec.command !== undefined) await this.#host?.kill();
    else await this.#host?.stop();
    for (const watch of [this.#watch, ...this.#others]) this.options.findings.addAll(watch.finish());
  }

  noteIdentity(result: Answer['value']): void {
    if (!isRecord(result)) return;
    const info = isRecord(result['serverInfo']) ? result['serverInfo'] : {};
    const schema = isRecord(result['schema']) ? result['schema'] : {};
    this.#identity = {
      name: String(info['name'] ?? ''),
      version: String(info['version'] ?? ''),
      fingerprint: typeof schema['fingerprint'] === 'string' ? schema['fingerprint'] : null,
      sessionDurability: typeof result['sessionDurability'] === 'string' ? result['sessionDurability'] : null,
    };
  }

  #attach(connection: Connection): void {
    this.#lives += 1;
    this.#exchange = this.#converse(connection, this.#watch);
  }

  #converse(connection: Connection, watch: Watch): Exchange {
    const { trace, timeoutMs, keepsOrder, bundle, recordedMethods } = this.options;
    connection.onFault((fault) => {
      trace.note('control', describeFault(fault), fault.atMs);
      watch.connectionFault(fault);
    });
    return new Exchange(
      connection,
      trace,
      timeoutMs,
      ({ frame, atMs }) => {
        watch.received(frame, atMs);
        this.#hasSpoken = true;
        this.#noteStart(frame);
      },
      (line) => watch.sent(line, trace.clock()),
      keepsOrder,
      (method) => bundle.notifications.has(method) || recordedMethods.has(method),
    );
  }

  #newWatch(): Watch {
    const { bundle, frameLimitBytes } = this.options;
    return new Watch({ bundle, live: true, frameLimitBytes, tolerant: false, pass: this.#pass });
  }

  #noteStart({ message }: Frame): void {
    if (message.kind !== 'notification' || message.method !== 'turn/started' || !isRecord(message.params))
      return;
    this.startedTurns.add(String(message.params['turnId']));
  }
}

function endOf({ endedBy }: StopOutcome): ConnectionEnd {
  if (endedBy === 'before') return 'server-closed';
  return endedBy === 'inputClosed' ? 'drained' : 'abandoned';
}

function describeFault(fault: StreamFault): string {
  switch (fault.kind) {
    case 'oversizeLine':
      return `a line of more than ${fault.limitBytes} bytes was discarded`;
    case 'unterminatedLine':
      return `the stream ended within a line (${fault.bytes} bytes)`;
    default:
      return `${fault.kind} (${fault.code})`;
  }
}
