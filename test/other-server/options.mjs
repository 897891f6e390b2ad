import { resolve } from 'node:path';

const MEBIBYTE = 1_048_576;

/**
 * @typedef {object} Options
 * @property {boolean} isEphemeral
 * @property {boolean} isMinimal
 * @property {string | undefined} listen `unix:PATH` or `tcp:HOST:PORT`; standard input and output without it
 * @property {string} home
 * @property {'launch' | 'abandon'} queuePolicy what becomes of turns still queued at a crash
 * @property {'inline' | 'snapshot'} historyForm
 * @property {boolean} reopensApprovals
 * @property {boolean} reclaims
 * @property {number} latencyMs
 * @property {number} slowMs
 * @property {number} startUpMs
 * @property {number} frameLimitBytes
 */

/**
 * @param {string[]} argv @param {Record<string, string | undefined>} env
 * @returns {Options} @throws {Error} whose `exitCode` is 2 for arguments and 3 for the environment
 */
export function readOptions(argv, env) {
  const words = [...argv];
  const flags = { isEphemeral: false, isMinimal: false };
  /** @type {string | undefined} */
  let listen;
  let frameLimitBytes = 10 * MEBIBYTE;
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--ephemeral') flags.isEphemeral = true;
    else if (word === '--minimal') flags.isMinimal = true;
    else if (word === '--listen')
      listen = words.shift() ?? complain('--listen wants unix:PATH or tcp:HOST:PORT', 2);
    else if (word === '--frame-limit') frameLimitBytes = Number(words.shift());
    else
      complain(
        `unknown argument ${word}; known are --ephemeral, --minimal, --listen ADDRESS, --frame-limit BYTES`,
        2,
      );
  }
  const home =
    env['MSP_STATE_DIR'] ?? (flags.isEphemeral ? '/' : complain('MSP_STATE_DIR names no state directory', 3));
  return {
    ...flags,
    listen,
    frameLimitBytes,
    home: resolve(home),
    queuePolicy: env['OTHER_QUEUE'] === 'launch' ? 'launch' : 'abandon',
    historyForm: env['OTHER_HISTORY'] === 'inline' ? 'inline' : 'snapshot',
    reopensApprovals: env['OTHER_APPROVALS'] !== 'close',
    reclaims: env['OTHER_RECLAIM'] === '1',
    latencyMs: Number(env['OTHER_LATENCY_MS'] ?? 3),
    slowMs: Number(env['OTHER_SLOW_MS'] ?? 2000),
    startUpMs: Number(env['OTHER_STARTUP_MS'] ?? 150),
  };
}

/** @param {string} message @param {number} exitCode @returns {never} */
function complain(message, exitCode) {
  throw Object.assign(new Error(message), { exitCode });
}
