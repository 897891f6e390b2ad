import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { LineSplitter } from '../src/wire/line-splitter.js';

/** A client that sends one request after the other over a program's stdio, and times the answers. */
export class BenchClient {
  readonly #server: ChildProcessByStdio<Writable, Readable, null>;
  readonly #kill: () => void;
  readonly #waiting = new Map<number, (result: Readonly<Record<string, unknown>>) => void>();
  #lastId = 0;

  constructor([program = '', ...words]: readonly string[]) {
    this.#server = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'] });
    this.#kill = () => this.#server.kill();
    process.once('exit', this.#kill);
    const splitter = new LineSplitter({ capBytes: 1 << 20 });
    this.#server.stdout.on('data', (chunk: Buffer) => {
      for (const event of splitter.push(chunk)) if (event.kind === 'line') this.#receive(event.bytes);
    });
  }

  notify(method: string): void {
    this.#server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method })}\n`);
  }

  /** Sends a request; resolves with its result as soon as the answer has been read. */
  request(
    method: string,
    params: Readonly<Record<string, unknown>>,
  ): Promise<Readonly<Record<string, unknown>>> {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<Readonly<Record<string, unknown>>>((resolve) =>
      this.#waiting.set(id, resolve),
    );
    this.#server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answer;
  }

  /** Closes the input and waits for the end. Rejects unless it is in order. */
  async end(): Promise<void> {
    const exited = once(this.#server, 'exit');
    this.#server.stdin.end();
    const [code] = await exited;
    process.off('exit', this.#kill);
    if (code !== 0) throw new Error(`${this.#server.spawnargs.join(' ')} ended with ${code}`);
  }

  #receive(bytes: Buffer): void {
    const { id, result, error } = JSON.parse(bytes.toString());
    if (id === undefined) return;
    if (result === undefined) throw new Error(`a request was refused: ${JSON.stringify(error)}`);
    this.#waiting.get(id)?.(result);
    this.#waiting.delete(id);
  }
}
