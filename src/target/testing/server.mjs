// A server with one manner, named by its first argument. Its frames are `{"pid":...}`-like lines, enough to tell them apart.
import { spawn } from 'node:child_process';
import { closeSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';

const [manner, ...args] = process.argv.slice(2);
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const untilInputEnds = () => process.stdin.resume().on('end', () => process.exit(0));
const forever = () => setInterval(() => {}, 60_000);

const manners = {
  echo() {
    say({ pid: process.pid, env: process.env, cwd: process.cwd(), args });
    process.stdin.pipe(process.stdout);
  },
  dies() {
    process.exit(7);
  },
  usage() {
    process.stderr.write('usage: server --port PORT\n');
    process.stdout.write('not a frame');
    process.exit(2);
  },
  ignoresSigterm() {
    process.on('SIGTERM', () => say({ got: 'SIGTERM' }));
    process.stdin.resume();
    forever();
    say({ ready: true });
  },
  endsOnSigterm() {
    process.on('SIGTERM', () => process.exit(0));
    forever();
    say({ ready: true });
  },
  drains() {
    const lastWords = `${JSON.stringify({ drained: 'x'.repeat(300_000) })}\n`;
    process.stdin.resume().on('end', () => process.stdout.write(lastWords, () => process.exit(0)));
  },
  closesStdout() {
    closeSync(1);
    process.stdin.resume().on('end', () => process.exit(3));
  },
  leavesChild() {
    const child = spawn(process.execPath, [import.meta.filename, 'sleeps'], {
      stdio: ['ignore', 'inherit', 'ignore'],
    });
    child.once('spawn', () => {
      say({ child: child.pid });
      untilInputEnds();
    });
  },
  leavesDaemon() {
    const child = spawn(process.execPath, [import.meta.filename, 'sleeps'], {
      stdio: ['ignore', 'inherit', 'ignore'],
      detached: true,
    });
    child.once('spawn', () => {
      say({ daemon: child.pid });
      untilInputEnds();
    });
  },
  sleeps() {
    forever();
  },
  floodsStderr() {
    const line = `${'e'.repeat(1023)}\n`;
    for (let lines = 0; lines < 8 * 1024; lines += 1) process.stderr.write(line);
    process.stderr.write('the last words\n', () => say({ flooded: true }));
    untilInputEnds();
  },
  neverReads() {
    say({ ready: true });
    forever();
  },
  byteByByte() {
    const bytes = Buffer.from('{"a":"é"}\n{"b":2}\r\n\n{"c":3}');
    const next = (at) =>
      at < bytes.length ? process.stdout.write(bytes.subarray(at, at + 1), () => next(at + 1)) : 0;
    next(0);
    untilInputEnds();
  },
  oneLongLine() {
    const part = Buffer.alloc(1024 * 1024, 'x');
    const next = (left) => {
      if (left > 0) process.stdout.write(part, () => next(left - 1));
      else process.stdout.write('\n{"after":true}\n');
    };
    next(Number(args[0]));
    untilInputEnds();
  },
  floods() {
    for (let n = 0; n < Number(args[0]); n += 1) say({ n });
    untilInputEnds();
  },
  socket() {
    listen((connection) => connection.pipe(connection));
  },
  startsServer() {
    rmSync(args[0].slice(5), { force: true });
    const child = spawn(process.execPath, [import.meta.filename, 'socket', ...args], {
      detached: true,
      stdio: 'ignore',
    });
    child.once('spawn', () => process.exit(0));
  },
  resets() {
    listen((connection) => {
      connection.on('error', () => {});
      connection.write('{"first":1}\n', () => connection.once('data', () => connection.resetAndDestroy()));
    });
  },
  cutsFrame() {
    listen((connection) => connection.end('{"whole":1}\n{"half":'));
  },
};

/** Listens where the first argument says; each connection is first told which it is. */
function listen(serve) {
  let connections = 0;
  const [address] = args;
  const server = createServer({ allowHalfOpen: false }, (connection) => {
    connections += 1;
    connection.on('error', () => {});
    if (manner === 'socket')
      connection.write(`${JSON.stringify({ connection: connections, pid: process.pid })}\n`);
    serve(connection);
  });
  if (address.startsWith('unix:')) server.listen(address.slice(5));
  else server.listen(Number(address), '127.0.0.1');
  console.log('listening');
}

manners[manner]();
