import { homedir } from 'node:os';
import { join } from 'node:path';
import { UnknownFaultError } from '../reference/faults.js';
import { serve } from '../reference/serve.js';
import { UsageError } from './errors.js';
import { listenAddress } from './listen-address.js';
import { unknownFault } from './unknown-fault.js';

/** What `serve` was asked for, as it was written. */
export interface ServeCommandOptions {
  readonly state?: string;
  readonly ephemeral?: boolean;
  /** `unix:PATH` or `tcp:HOST:PORT`. */
  readonly listen?: string;
  readonly frameLimit?: string;
  /** Milliseconds. */
  readonly idleUnload?: string;
  readonly seed?: string;
  readonly clock?: string;
  readonly fault?: readonly string[];
  /** A session to load before anybody connects. */
  readonly session?: string;
}

/** Runs the reference server until it ends; gives its exit code. Throws `UsageError`. */
export async function serveCommand(options: ServeCommandOptions): Promise<number> {
  const { state, ephemeral, listen, frameLimit, idleUnload, seed, clock, fault, session } = options;
  // The harness's own handler ends with another code; a server that fails ends with the protocol's.
  process.prependListener('uncaughtException', endFailed);
  try {
    return await serve({
      stateDir: state ?? process.env['MSP_STATE_DIR'] ?? join(homedir(), '.msp-reference'),
      ...(ephemeral !== undefined && { isEphemeral: ephemeral }),
      ...(listen !== undefined && { listen: listenAddress(listen) }),
      ...(frameLimit !== undefined && { frameLimitBytes: wholeNumber('--frame-limit', frameLimit) }),
      ...(idleUnload !== undefined && { idleUnloadMs: wholeNumber('--idle-unload', idleUnload) }),
      ...(seed !== undefined && { seed: wholeNumber('--seed', seed) }),
      ...(clock !== undefined && { clockMs: wholeNumber('--clock', clock) }),
      ...(fault !== undefined && { faults: fault }),
      ...(session !== undefined && { session }),
    });
  } catch (error) {
    throw asUsage(error);
  } finally {
    process.off('uncaughtException', endFailed);
  }
}

function endFailed(error: Error): never {
  process.stderr.write(`${error.stack ?? String(error)}\n`);
  process.exit(1);
}

function wholeNumber(option: string, text: string): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new UsageError(`${option} expects a whole number, found ${JSON.stringify(text)}.`);
}

function asUsage(error: unknown): unknown {
  if (error instanceof UnknownFaultError) return unknownFault(error.fault);
  const isTaken = error instanceof Error && 'syscall' in error && error.syscall === 'listen';
  return isTaken ? new UsageError(`--listen: ${error.message}; choose another address.`) : error;
}
