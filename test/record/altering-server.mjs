// The other server with one text of its output replaced: FROM TO; `{random}` in TO is another number each time.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const [from, to] = process.argv.slice(2);
const server = spawn(process.execPath, [join(import.meta.dirname, '..', 'other-server', 'main.mjs')], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
process.stdin.pipe(server.stdin);
createInterface({ input: server.stdout }).on('line', (line) => {
  process.stdout.write(`${line.replaceAll(from, () => to.replace('{random}', String(Math.random())))}\n`);
});
server.on('exit', (code) => {
  process.exitCode = code;
});
