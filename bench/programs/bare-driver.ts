import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * What any replay has to do at the least: writes a transcript's client lines to a server, each request after the
 * answer to the one before it, and counts the answers. Words: the transcript, then the server's command.
 */
const [transcript = '', command = '', ...words] = process.argv.slice(2);
const lines = clientLines(readFileSync(transcript, 'utf8'));
const server = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
let next = 0;
let answers = 0;
let unfinished = '';

server.stdout.setEncoding('utf8').on('data', (chunk: string) => {
  const text = unfinished + chunk;
  const end = text.lastIndexOf('\n') + 1;
  unfinished = text.slice(end);
  // Events come beside the answers, and only they name a method.
  for (const line of text.slice(0, end).split('\n')) {
    if (line === '' || line.includes('"method":')) continue;
    answers += 1;
    sendOne();
  }
});
server.on('close', () => console.log(`${answers} answers`));
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
