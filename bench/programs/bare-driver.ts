import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * What any replay has to do at the least: writes a transcript's client lines to a server, each request after the
 * answer to the one before it, and counts the answers. Words: the transcript, then the server's command.
 */
const [transcript = '', command = '', ...words] = process.argv.slice(2);
const lines = clientLines(readFileSync(transcript, 'utf8'));
const server = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
const LF = 0x0a;
let next = 0;
let answers = 0;

server.stdout.on('data', (chunk: Buffer) => {
  const before = answers;
  for (let at = chunk.indexOf(LF); at !== -1; at = chunk.indexOf(LF, at + 1)) answers += 1;
  if (answers > before) sendOne();
});
sendOne();

/** Up to and with the next request; notifications want no answer. */
function sendOne(): void {
  for (; next < lines.length; next += 1) {
    const line = lines[next] ?? '';
    server.stdin.write(`${line}\n`);
    if (!line.includes('"id":')) continue;
    next += 1;
    return;
  }
  server.stdin.end();
}

function clientLines(text: string): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { dir: string; raw: string })
    .filter(({ dir }) => dir === 'client')
    .map(({ raw }) => raw);
}
