import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { exchangeRequests, writeManifest } from './transcripts.js';

/**
 * Plays so many exchanges to a server and writes what both sides said as a scenario: a session under an id of the
 * client's choosing, and commands that change it, each after the answer to the one before it.
 */
export async function recordExchanges(
  folder: string,
  exchanges: number,
  [command = '', ...words]: readonly string[],
): Promise<void> {
  const transcript = createWriteStream(await writeManifest(folder));
  const server = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const killAtExit = () => server.kill();
  process.once('exit', killAtExit);
  const write = (dir: 'client' | 'server', raw: string) =>
    transcript.write(`${JSON.stringify({ dir, raw })}\n`);
  const requests = exchangeRequests(exchanges)[Symbol.iterator]();
  const sendOne = () => {
    for (let next = requests.next(); !next.done; next = requests.next()) {
      const raw = JSON.stringify({ jsonrpc: '2.0', ...next.value });
      write('client', raw);
      server.stdin.write(`${raw}\n`);
      if ('id' in next.value) return;
    }
    server.stdin.end();
  };
  sendOne();
  for await (const line of createInterface({ input: server.stdout })) {
    write('server', line);
    if (!line.includes('"method":')) sendOne();
  }
  process.off('exit', killAtExit);
  transcript.end();
  await once(transcript, 'close');
}
