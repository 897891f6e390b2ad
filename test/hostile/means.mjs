import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { model, RESULTS, serve } from './polite.mjs';

/** What the second word after the manner's name is: a path or a number of milliseconds. */
export const argument = process.argv[3] ?? '';

export const exit = (code) => () => process.exit(code);

/** Stays alive without reading. */
export const forever = () => setInterval(() => {}, 60_000);

export const text = (frame) => JSON.stringify({ jsonrpc: '2.0', ...frame });

export const notice = (method, params = {}) => text({ method, params, emittedAtMs: 1_754_592_500_000 });

/** The answer to model/list; `name` is that of its one model. */
export const listing = ({ id }, name) =>
  text({ id, result: { ...RESULTS['model/list'](), models: [model(name)] } });

/** Does this and serves nobody. */
export const instead = (act) => ({
  begins: (io) => {
    act(io);
    return true;
  },
});

/** Does this, then serves. */
export const first = (act) => ({ begins: (io) => void act(io) });

export const on = (method, act) => ({ answers: { [method]: act } });

export const onModels = (act) => on('model/list', act);

/** Writes lines before the answer. */
export const ahead = (...lines) =>
  onModels(async (request, io) => {
    await io.write(lines.map((line) => `${line}\n`).join(''));
    io.answer(request);
  });

/** Writes bytes before the answer, again and again, as the pipe takes them. */
export const flooding = (bytes, count) =>
  onModels(async (request, io) => {
    for (let written = 0; written < count; written += 1) await io.write(bytes);
    io.answer(request);
  });

/** Answers with these bytes, as they are, for the name of the model. */
export const naming = (bytes) =>
  onModels((request, io) => {
    const [before, ...after] = listing(request, '@').split('@');
    io.write(
      Buffer.concat(
        [before, ...after.flatMap((part) => [bytes, part]), '\n'].map((part) => Buffer.from(part)),
      ),
    );
  });

/** Answers with one member more in the result, written as it is. */
export const adding = (member) =>
  onModels((request, io) => io.write(`${listing(request).slice(0, -2)},${member}}}\n`));

/** Answers with a line of so many bytes. */
export const ofBytes = (bytes) =>
  onModels((request, io) => {
    const [head, tail] = [`${listing(request).slice(0, -2)},"padding":"`, '"}}'];
    io.write(`${head}${'x'.repeat(bytes - head.length - tail.length)}${tail}\n`);
  });

/** False the first time, true from then on: in the state directory a restart finds what was left. */
export function isAgain(file = `${process.env.MSP_STATE_DIR}/was-here`) {
  const wasHere = existsSync(file);
  writeFileSync(file, '');
  return wasHere;
}

/** Another process of this program that only lives, on the same stdout. */
export const child = (options) =>
  spawn(process.execPath, [process.argv[1] ?? '', 'only-lives'], {
    stdio: ['ignore', 'inherit', 'ignore'],
    ...options,
  }).pid;

/** Serves on a Unix socket. A file that lies in the way ends the server. */
export const listen = (path) =>
  createServer((socket) => serve({ input: socket, output: socket, ends: () => socket.end() }))
    .on('error', exit(9))
    .listen(path);

/** The bytes of a stream, a few at a time. */
export async function* slowly(stream) {
  for await (const chunk of stream) {
    for (let from = 0; from < chunk.length; from += 512) {
      await delay(1);
      yield chunk.subarray(from, from + 512);
    }
  }
}
