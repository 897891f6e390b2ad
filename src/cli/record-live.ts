import { join } from 'node:path';
import { ownStdout } from '../record/own-stdout.js';
import { socketProxy } from '../record/socket-proxy.js';
import { standIn } from '../record/stand-in.js';
import type { CliContext } from './context.js';
import { UsageError } from './errors.js';
import { ExitCode } from './exit-codes.js';
import { listenAddress } from './listen-address.js';
import {
  freshId,
  type RecordOptions,
  recordedTarget,
  recordingBasics,
  tellRedactions,
} from './record-options.js';

/** The client started us in the place of its server: nothing but the server's own words may reach its stdout. */
export async function recordStandIn(options: RecordOptions, context: CliContext): Promise<number> {
  if (context.serverCommand === undefined) {
    throw new UsageError('record needs the server’s command after --, or --client, --listen or --from.');
  }
  if (options.unix !== undefined || options.tcp !== undefined) {
    throw new UsageError('--unix and --tcp go with --listen, --client or --from.');
  }
  const { basics, redactor } = await recordingBasics(options);
  const id = options.id ?? freshId();
  const { exit, lines, hasFailed } = await standIn(
    context.serverCommand,
    { from: process.stdin, to: ownStdout() },
    { ...basics, id, warn: (problem) => say(problem, context) },
  );
  tellRedactions(redactor, context);
  if (options.id === undefined && lines > 0) say(`recorded ${join(basics.out, id)}`, context);
  if (exit.signal !== null) process.kill(process.pid, exit.signal);
  // The server's own complaint is the client's business before ours is.
  if (exit.code === 0 && hasFailed) return ExitCode.harness;
  return exit.code ?? ExitCode.harness;
}

/** Goes on until somebody ends it, which is then its orderly end. */
export async function recordBetweenSockets(
  listen: string,
  options: RecordOptions,
  context: CliContext,
): Promise<number> {
  const { address, startTimeoutMs } = recordedTarget(options, context);
  if (context.serverCommand !== undefined || address.kind === 'stdio') {
    throw new UsageError(
      'record --listen needs --unix or --tcp, a server that runs already, and no command.',
    );
  }
  const upstream = address.kind === 'tcp' ? { ...address, port: Number(address.port) } : address;
  const { basics, redactor } = await recordingBasics(options);
  const stop = new AbortController();
  const stopped = new Promise<number>((resolve) => {
    const end = (code: number) => {
      stop.abort();
      resolve(code);
    };
    process.once('SIGINT', () => end(ExitCode.interrupted)).once('SIGTERM', () => end(ExitCode.terminated));
  });
  const proxyOptions = {
    ...basics,
    id: options.id ?? freshId(),
    startTimeoutMs,
    warn: (problem: string) => say(problem, context),
    listening: (at: string) => say(`listening at ${at}`, context),
    recorded: (folder: string) => say(`recorded ${folder}`, context),
  };
  const { hasFailed } = await socketProxy(listenAddress(listen), upstream, proxyOptions, stop.signal);
  tellRedactions(redactor, context);
  return hasFailed ? ExitCode.harness : stopped;
}

function say(text: string, context: CliContext): void {
  context.stderr(`msp-conformance record: ${text}\n`);
}
