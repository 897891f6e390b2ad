import { Command } from 'commander';
import type { Ending, MockOptions } from '../mock/mock-options.js';
import type { SocketAddress } from '../target/address.js';
import type { Scenario } from '../transcript/scenario.js';
import type { CliContext } from './context.js';
import { UsageError } from './errors.js';
import { ExitCode } from './exit-codes.js';
import { examples } from './help.js';
import { listenAddress } from './listen-address.js';

/** `mock`: plays a scenario's server to a client under test. */
export function defineMock(context: CliContext): Command {
  return new Command('mock')
    .description(
      'Plays the server’s side of a scenario to a client. The first frame that is not the recorded one ends it: one JSON line on stderr says what was expected, the exit code is 1.',
    )
    .argument('<scenario>', 'a scenario’s folder or transcript')
    .option('--listen <address>', 'unix:PATH or tcp:HOST:PORT instead of stdin and stdout')
    .option('--exit-code <n>', 'die with this code when the script is over')
    .option('--stderr-lines <n>', 'write so many lines to stderr before dying')
    .addHelpText('after', EXAMPLES)
    .action(async (path: string, options: ParsedOptions) => {
      const address = options.listen === undefined ? undefined : listenAddress(options.listen);
      const death = deathOf(options);
      const ending = await mock(await theScenario(path), address, {
        stateDir: context.env['MSP_STATE_DIR'],
        death,
        say: (report) => context.stderr(`${JSON.stringify(report)}\n`),
        moan: (line) => context.stderr(`${line}\n`),
      });
      if (ending === 'SIGKILL') process.kill(process.pid, 'SIGKILL');
      else context.finish(ending);
    });
}

interface ParsedOptions {
  readonly listen?: string;
  readonly exitCode?: string;
  readonly stderrLines?: string;
}

const EXAMPLES = examples(
  ['mock scenarios/turn', 'speak as the recorded server on stdin and stdout'],
  ['mock scenarios/turn --listen unix:/run/user/1000/mock.sock', 'on a socket'],
  ['mock scenarios/turn --exit-code 70 --stderr-lines 3', 'a host that dies after the last recorded frame'],
);

async function theScenario(path: string): Promise<Scenario> {
  const { findScenarios } = await import('../transcript/find-scenarios.js');
  const { loadScenario } = await import('../transcript/load-scenario.js');
  const [found, second] = await findScenarios([path]);
  if (found === undefined || second !== undefined) {
    throw new UsageError(`${path} holds several scenarios; expected one, for instance ${found}.`);
  }
  return loadScenario(found);
}

function deathOf({ exitCode, stderrLines }: ParsedOptions): MockOptions['death'] {
  if (exitCode === undefined && stderrLines === undefined) return undefined;
  return {
    exitCode: wholeNumber(exitCode ?? '1', '--exit-code', 255),
    stderrLines: wholeNumber(stderrLines ?? '0', '--stderr-lines', 1_000_000),
  };
}

function wholeNumber(text: string, option: string, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value <= most) return value;
  throw new UsageError(`${option} expects a whole number from 0 to ${most}, found ${JSON.stringify(text)}.`);
}

async function mock(
  scenario: Scenario,
  address: SocketAddress | undefined,
  options: MockOptions,
): Promise<Ending> {
  return address === undefined ? overStdio(scenario, options) : overSocket(scenario, address, options);
}

async function overStdio(scenario: Scenario, options: MockOptions): Promise<Ending> {
  const { mockStreams } = await import('../mock/mock-streams.js');
  try {
    return await mockStreams(scenario, { from: process.stdin, to: process.stdout }, options);
  } finally {
    // What the client may still say keeps nobody here.
    process.stdin.destroy();
  }
}

async function overSocket(scenario: Scenario, address: SocketAddress, options: MockOptions): Promise<Ending> {
  const { mockSocket } = await import('../mock/mock-socket.js');
  const stop = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => stop.abort(signal);
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    return await mockSocket(scenario, address, options, stop.signal);
  } catch (reason) {
    if (reason === 'SIGINT') return ExitCode.interrupted;
    if (reason === 'SIGTERM') return ExitCode.terminated;
    throw asUsage(reason);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}

function asUsage(error: unknown): unknown {
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen'
    ? new UsageError(`--listen: ${error.message}; end what listens there, or choose another address.`)
    : error;
}
