import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cleanUpAll, forgetGroup, registerGroup } from '../target/clean-up.js';
import type { ExitStatus } from '../target/host.js';
import { HostStartError } from '../target/host-error.js';
import { quoted } from '../target/server-process.js';
import { within } from '../target/within.js';
import { LiveRecording, type RecordingOptions } from './live-recording.js';
import { relay } from './relay.js';

/**
 * Runs a server with our own stdin and stdout as its client's, and records what goes through. Signals are passed on,
 * stderr is the server's own. Resolves with the server's end, and whether something could not be written down. Rejects with `HostStartError` when the program cannot
 * be run, and with `InputError` when the recording cannot be begun.
 */
export async function standIn(
  command: readonly string[],
  streams: { readonly from: Readable; readonly to: Writable },
  options: RecordingOptions,
): Promise<{ readonly exit: ExitStatus; readonly lines: number; readonly hasFailed: boolean }> {
  const recording = await LiveRecording.begin(options, 'stdio');
  try {
    const { exit, said } = await serve(command, streams, recording);
    const lines = await recording.finish(exit.code === 0 ? said : 'cut');
    return { exit, lines, hasFailed: recording.hasFailed };
  } catch (error) {
    await recording.finish('cut');
    throw error;
  }
}

async function serve(
  command: readonly string[],
  streams: { readonly from: Readable; readonly to: Writable },
  recording: LiveRecording,
): Promise<{ readonly exit: ExitStatus; readonly said: 'whole' | 'cut' }> {
  const [program = '', ...args] = command;
  // A group of its own: a terminal's Ctrl-C reaches us alone, so that the server gets it once.
  const child = spawn(program, args, { detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
  const { pid } = child;
  if (pid === undefined) throw notRun(command, await once(child, 'error'));
  // Killing us must kill the server, as it would have without us.
  registerGroup(pid);
  const stopPassing = passSignals(child);
  try {
    let chunks = 0;
    child.stdout.on('data', () => {
      chunks += 1;
    });
    const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    void relay(streams.from, child.stdin, (event) => recording.take('client', event));
    const said = relay(child.stdout, streams.to, (event) => recording.take('server', event));
    const [code, signal] = await exited;
    const end = await drained(said, () => chunks);
    await flushed(streams.to);
    return { exit: { code, signal }, said: end };
  } finally {
    stopPassing();
    streams.from.destroy();
    child.stdout.destroy();
    forgetGroup(pid);
    await cleanUpAll();
  }
}

/** What the server's death leaves in its pipe still comes; a process that it left behind may hold the pipe open. */
async function drained(said: Promise<'whole' | 'cut'>, chunks: () => number): Promise<'whole' | 'cut'> {
  for (let seen = -1; seen !== chunks(); ) {
    seen = chunks();
    const end = await within(said, SILENCE_MS);
    if (end !== 'late') return end;
    // A busy machine may show the timer before the bytes that were there all along.
    await nextTurn();
    await nextTurn();
  }
  return 'whole';
}

/** Resolves when what was written has been handed to the operating system, or can never be. */
function flushed(to: Writable): Promise<void> {
  return new Promise((resolve) => {
    if (to.writableEnded || to.destroyed) resolve();
    else to.write('', () => resolve());
  });
}

const SILENCE_MS = 300;

const PASSED: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'];

function passSignals(child: ChildProcess): () => void {
  const pass = (signal: NodeJS.Signals) => void child.kill(signal);
  for (const signal of PASSED) process.on(signal, pass);
  return () => {
    for (const signal of PASSED) process.off(signal, pass);
  };
}

function notRun(command: readonly string[], [error]: unknown[]): HostStartError {
  return new HostStartError('notSpawned', `cannot run ${quoted(command)}: ${(error as Error).message}`);
}
