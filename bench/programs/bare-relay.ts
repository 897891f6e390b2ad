import { spawn } from 'node:child_process';
import { Socket } from 'node:net';

/** What anything between a client and a server has to do at the least: hands chunks over. Words: the server's command. */
const [command = '', ...words] = process.argv.slice(2);
const server = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
const [from, to] = [new Socket({ fd: 0, writable: false }), new Socket({ fd: 1, readable: false })];

from.on('data', (chunk) => server.stdin.write(chunk)).on('end', () => server.stdin.end());
server.stdout.on('data', (chunk: Buffer) => to.write(chunk));
server.on('close', (code) => process.exit(code ?? 1));
