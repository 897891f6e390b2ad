import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { readTranscript } from '../src/transcript/read-transcript.js';

/** Frames of many lengths, among them such as a recorder could be tempted to tidy: other white space, a CR, any script. */
export function variedFrames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => {
    const text = ['naïve', '日本語', '\\u00e9\\ud83d\\ude00', '🙂', 'x'.repeat(n % 997)][n % 5];
    const frame = `{"jsonrpc":"2.0", "method" :\t"session/rename","id":${n},"params":{"n":1.50e2,"name":"${text}"}}`;
    return n % 7 === 0 ? `${frame}\r` : frame;
  });
}

/** Sends frames through a program at whose far end they are repeated. True when they come back byte by byte. */
export async function comesBack(command: readonly string[], frames: readonly string[]): Promise<boolean> {
  const [program = '', ...words] = command;
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'] });
  const killAtExit = () => child.kill();
  process.once('exit', killAtExit);
  const exited = once(child, 'exit');
  const sent = Buffer.from(frames.map((frame) => `${frame}\n`).join(''));
  const [back] = await Promise.all([buffer(child.stdout), pipeline(Readable.from([sent]), child.stdin)]);
  const [code] = await exited;
  process.off('exit', killAtExit);
  return code === 0 && back.equals(sent);
}

/** True when a transcript has these frames, and no others, in both directions. */
export async function isRecorded(transcript: string, frames: readonly string[]): Promise<boolean> {
  const met = { client: 0, server: 0 };
  for await (const step of readTranscript(transcript)) {
    if (step.dir === 'control' || step.raw !== frames[met[step.dir]]) return false;
    met[step.dir] += 1;
  }
  return met.client === frames.length && met.server === frames.length;
}
