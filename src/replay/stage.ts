import type { Findings } from '../checks/findings.js';
import type { PassName } from '../checks/finding.js';
import { StreamChecker } from '../checks/stream-checker.js';
import type { Bundle } from '../schema/bundle.js';
import type { ConnectionFault, Connection } from '../target/connection.js';
import { type ExitStatus, type Host, openHost, type StopOutcome } from '../target/host.js';
import type { TargetSpec } from '../target/spec.js';
import type { Workbench } from '../target/workbench.js';
import type { BehaviourName } from '../transcript/scenario.js';
import { decodeFrame } from '../wire/decode.js';
import type { Frame } from '../wire/frame.js';
import { type Answer, Exchange, isRecord } from './exchange.js';
import type { Trace } from './trace.js';

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
  /** Behaviours of servers that are known by name, used where the target names none. */
  readonly knownBehaviours: (serverName: string) => Readonly<Partial<Record<BehaviourName, string>>>;
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
  #checker: StreamChecker | undefined;
  #lives = 0;
  #identity: ServerIdentity | undefined;
  /** Ids of all commands that drives have sent on this stage. */
  readonly knownCommands = new Set<string>();
  /** Turns that have been seen to start, over all connections. */
  readonly startedTurns = new Set<string>();

  constructor(readonly options: StageOptions) {}

  /** How many connections there have been. */
  get lives(): number {
    return this.#lives;
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
    const stated = this.options.spec.behaviours[behaviour];
    return stated ?? this.options.knownBehaviours(this.#identity?.name ?? '')[behaviour];
  }

  /** Starts a server and connects. Rejects with `HostStartError`. */
  async open(): Promise<void> {
    const { spec, bench, frameLimitBytes, trace } = this.options;
    trace.note('control', this.#host === undefined ? 'start the server' : 'start the server again');
    this.#host = await openHost(spec, bench, { frameLimitBytes, clock: trace.clock });
    this.#attach(await this.#host.connect());
  }

  /** Another connection to the same server (sockets only). The old one is left as it is. */
  async connectAgain(): Promise<Exchange> {
    this.options.trace.note('control', 'open another connection');
    const connection = await this.host.connect();
    return this.#attach(connection);
  }

  /** Carries out a control line of a transcript. */
  async control(op: 'restart' | 'crash' | 'reconnect'): Promise<void> {
    if (op === 'restart') await this.stop('replay');
    if (op === 'crash') await this.kill();
    if (op === 'reconnect') {
      this.exchange.connection.destroy();
      await this.exchange.connection.closed;
      await this.connectAgain();
      return;
    }
    await this.open();
  }

  /** Ends the server in order and judges how it went. */
  async stop(pass: PassName): Promise<StopOutcome> {
    const { trace, spec } = this.options;
    trace.note('control', 'close the input and wait for the exit');
    const outcome = await this.host.stop();
    this.#finishStream();
    if (spec.command !== undefined && spec.address.kind === 'stdio') this.#judgeExit(outcome, pass);
    return outcome;
  }

  async kill(): Promise<ExitStatus> {
    this.options.trace.note('control', 'SIGKILL');
    const status = await this.host.kill();
    this.#finishStream();
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
    this.#finishStream();
  }

  /** Ends whatever runs, without a verdict. */
  async close(): Promise<void> {
    if (this.#host === undefined) return;
    await this.#host.kill();
    this.#finishStream();
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

  #attach(connection: Connection): Exchange {
    this.#finishStream();
    const { bundle, frameLimitBytes, trace, timeoutMs } = this.options;
    const checker = new StreamChecker({ bundle, live: true, frameLimitBytes, tolerant: false });
    connection.onFault((fault) => this.#fault(fault, checker));
    this.#checker = checker;
    this.#lives += 1;
    this.#exchange = new Exchange(
      connection,
      trace,
      timeoutMs,
      ({ frame, atMs }) => {
        checker.observe({ dir: 'server', frame, atMs });
        this.#noteStart(frame);
      },
      (line) => checker.observe({ dir: 'client', frame: decodeFrame(line), atMs: trace.clock() }),
      this.options.keepsOrder,
    );
    return this.#exchange;
  }

  #noteStart({ message }: Frame): void {
    if (message.kind !== 'notification' || message.method !== 'turn/started' || !isRecord(message.params)) return;
    this.startedTurns.add(String(message.params['turnId']));
  }

  #fault(fault: ConnectionFault, checker: StreamChecker): void {
    this.options.trace.note('control', describeFault(fault), fault.atMs);
    checker.connectionFault(fault);
  }

  #finishStream(): void {
    if (this.#checker === undefined) return;
    this.options.findings.addAll(this.#checker.finish());
    this.#checker = undefined;
  }

  #judgeExit({ endedBy, exit, leftProcesses }: StopOutcome, pass: PassName): void {
    const { findings, trace, spec } = this.options;
    const evidence = trace.tail(6);
    if (endedBy === 'before') {
      const message = `The server had ended before it was asked to (${describeExit(exit)}).`;
      findings.add('process/no-crash', pass, { status: 'failed', message, evidence });
      return;
    }
    if (endedBy !== 'inputClosed') {
      const message = `The server did not exit within ${spec.graceMs} ms after its input was closed; it took ${endedBy}.`;
      findings.add('process/orderly-exit', pass, { status: 'failed', message, evidence });
      return;
    }
    findings.add('process/orderly-exit', pass, { status: 'passed' });
    const isZero = exit.code === 0;
    findings.add('process/exit-code', pass, {
      status: isZero ? 'passed' : 'failed',
      message: isZero ? '' : `An orderly end must exit with 0; the server ended with ${describeExit(exit)}.`,
      ...(!isZero && { evidence }),
    });
    if (leftProcesses) {
      findings.note('process/orderly-exit', pass, 'Processes of the server outlived it and were killed.');
    }
  }
}

export function describeExit({ code, signal }: ExitStatus): string {
  return signal !== null ? `signal ${signal}` : `exit code ${code}`;
}

function describeFault(fault: ConnectionFault): string {
  switch (fault.kind) {
    case 'oversizeLine':
      return `a line of more than ${fault.limitBytes} bytes was discarded`;
    case 'unterminatedLine':
      return `the stream ended within a line (${fault.bytes} bytes)`;
    default:
      return `${fault.kind} (${fault.code})`;
  }
}
