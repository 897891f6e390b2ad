import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CLI } from '../paths.js';
import { Client } from './client.js';

/** One life of the reference server, from its start to the kill. */
export class Life {
  private constructor(
    readonly clients: readonly Client[],
    private readonly server: ChildProcess,
    private readonly ended: Promise<unknown>,
  ) {}

  static async begin(folder: string, connections: number): Promise<Life> {
    const socket = join(folder, 'socket');
    const words = [CLI, 'serve', '--state', join(folder, 'state'), '--listen', `unix:${socket}`];
    const server = spawn(process.execPath, words, { stdio: 'ignore' });
    const ended = once(server, 'exit');
    const leaves = () => server.kill('SIGKILL');
    process.once('exit', leaves);
    ended.finally(() => process.off('exit', leaves));
    const opened = Promise.all(Array.from({ length: connections }, () => Client.open(socket)));
    return new Life(await opened, server, ended);
  }

  async kill(): Promise<void> {
    this.server.kill('SIGKILL');
    await this.ended;
    await Promise.all(this.clients.map((client) => client.close()));
  }
}
