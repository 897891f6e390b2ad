import { fstatSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from './connection.mjs';
import { Host } from './host.mjs';
import { readOptions } from './options.mjs';

const host = await start();
for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) process.once(signal, () => leave());

async function start() {
  try {
    const options = readOptions(process.argv.slice(2), process.env);
    await delay(options.startUpMs);
    const ready = new Host(options);
    if (options.listen === undefined) serveStdio(ready);
    else serveSockets(ready, options.listen);
    return ready;
  } catch (error) {
    process.stderr.write(`other-server: ${error instanceof Error ? error.message : error}\n`);
    process.exit(/** @type {{ exitCode?: number }} */ (error).exitCode ?? 1);
  }
}

/** @param {Host} ready */
function serveStdio(ready) {
  const connection = new Connection(ready, process.stdin, process.stdout);
  ready.connections.add(connection);
  connection.ended.then(() => leave());
}

/** @param {Host} ready @param {string} address */
function serveSockets(ready, address) {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const connection = new Connection(ready, socket, socket);
    ready.connections.add(connection);
    connection.ended.then(() => {
      ready.connections.delete(connection);
      for (const session of ready.sessions.values()) session.followers.delete(connection);
      return connection.outbox.flushed().then(() => socket.end());
    });
  });
  server.on('error', (error) => ready.fail(error));
  const [, scheme, rest] = /^(unix|tcp):(.+)$/.exec(address) ?? [];
  if (scheme === undefined || rest === undefined)
    throw Object.assign(new Error(`no address: ${address}`), { exitCode: 2 });
  if (scheme === 'unix') {
    rmSync(rest, { force: true });
    server.listen(rest);
  } else {
    const colon = rest.lastIndexOf(':');
    server.listen(Number(rest.slice(colon + 1)), rest.slice(0, colon));
  }
  server.on('listening', () =>
    process.stderr.write(`other-server: at ${JSON.stringify(server.address())}\n`),
  );
  stopWithStdin();
}

/** A parent that holds our standard input stops us by closing it; without such a parent only a signal does. */
function stopWithStdin() {
  const stdin = fstatSync(0);
  if (!stdin.isFIFO() && !stdin.isSocket()) return;
  process.stdin.resume();
  process.stdin.once('end', () => leave());
}

async function leave() {
  if (host.isDraining) return;
  await host.drain();
  process.exit(0);
}
