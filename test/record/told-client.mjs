// A client that renames one session over and over, and tells on stdout what it sends ("> ") and reads ("< ").
// Words: the address of a socket, or the command that it speaks to over stdio.
import { spawn } from 'node:child_process';
import { createConnection } from 'node:net';
import { createInterface } from 'node:readline';
import { v7 } from 'uuid';

const [first, ...others] = process.argv.slice(2);
const tell = (line) => process.stdout.write(`${line}\n`);
const { input, output } = first.startsWith('unix:') ? connected(first.slice(5)) : spawned([first, ...others]);

let sessionId;
const send = (message) => {
  const line = JSON.stringify({ jsonrpc: '2.0', ...message });
  tell(`> ${line}`);
  input.write(`${line}\n`);
};
const rename = (id) => {
  const params = { sessionId, commandId: v7(), name: `name ${id}` };
  send({ id, method: 'session/rename', params });
};

createInterface({ input: output })
  .on('line', (line) => {
    tell(`< ${line}`);
    const { id, result } = JSON.parse(line);
    if (id === 1) {
      send({ method: 'initialized' });
      send({ id: 2, method: 'session/start', params: { commandId: v7() } });
    }
    if (id === 2) sessionId = result.session.sessionId;
    if (id >= 2) rename(id + 1);
  })
  .on('close', () => process.exit(0));
send({ id: 1, method: 'initialize', params: { clientInfo: { name: 'told', version: '1' } } });

function connected(path) {
  const socket = createConnection(path).on('error', () => {});
  return { input: socket, output: socket };
}

function spawned([program, ...words]) {
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  tell(`recorder ${child.pid}`);
  child.stdin.on('error', () => {});
  return { input: child.stdin, output: child.stdout };
}
