import { createServer, type Server, type Socket } from 'node:net';
import type { SocketAddress } from '../target/address.js';
import type { Scenario } from '../transcript/scenario.js';
import { listenAt } from './listen-at.js';
import { listeningAt } from './listening-at.js';
import { complete, type Ending, lineLimit, type MockOptions } from './mock-options.js';
import { type Played, play } from './play.js';
import { Player } from './player.js';
import { ProgressFile } from './progress-file.js';

/**
 * Plays a scenario's server to whoever connects, one connection after the other; a second one at the same time is
 * dropped at once. Of port 0 the report `mockListening` tells which one the system chose. Rejects when the address cannot be listened at.
 */
export async function mockSocket(
  scenario: Scenario,
  address: SocketAddress,
  options: MockOptions,
  signal: AbortSignal,
): Promise<Ending> {
  const server = createServer({ allowHalfOpen: true });
  await listenAt(server, address);
  options.say({ report: 'mockListening', scenario: scenario.id, address: listeningAt(server) });
  const open = new Set<Socket>();
  let ending: Ending | undefined;
  try {
    ending = await new SocketPlay(scenario, options, open, server, signal).toTheEnd();
    return ending;
  } finally {
    // After a failure the connection ends with the process, so that whoever sees its end can see the exit code too.
    for (const socket of open) ending === 1 ? socket.unref() : socket.destroy();
    server.close();
  }
}

class SocketPlay {
  readonly #progress: ProgressFile;
  readonly #player: Player;

  constructor(
    private readonly scenario: Scenario,
    private readonly options: MockOptions,
    private readonly open: Set<Socket>,
    private readonly server: Server,
    private readonly signal: AbortSignal,
  ) {
    this.#progress = new ProgressFile(options.stateDir, scenario);
    this.#player = new Player(scenario, this.#progress.read());
  }

  /** Rejects when the signal is given. */
  toTheEnd(): Promise<Ending> {
    if (this.signal.aborted) return Promise.reject(this.signal.reason);
    return new Promise((resolve, reject) => {
      this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
      let isBusy = false;
      this.server.on('connection', (socket) => {
        this.open.add(socket);
        socket.once('close', () => this.open.delete(socket));
        socket.on('error', () => {});
        if (isBusy) return void socket.destroy();
        isBusy = true;
        this.#serve(socket).then((ending) => {
          if (ending === 'reconnect') isBusy = false;
          else resolve(ending);
        }, reject);
      });
    });
  }

  async #serve(socket: Socket): Promise<Ending | 'reconnect'> {
    socket.setNoDelay(true);
    const ended = new Promise((resolve) => socket.once('end', resolve).once('close', resolve));
    const played = await play(this.#player, { from: socket, to: socket }, lineLimit(this.scenario));
    return this.#conclude(played, socket, ended);
  }

  async #conclude(played: Played, socket: Socket, ended: Promise<unknown>): Promise<Ending | 'reconnect'> {
    if (played.kind === 'failed') {
      this.options.say(played.failure);
      return 1;
    }
    if (played.kind === 'complete') {
      this.#progress.clear();
      return complete(this.scenario, this.options, () => ended);
    }
    if (played.op === 'reconnect') {
      socket.destroySoon();
      return 'reconnect';
    }
    this.#progress.write(this.#player.progress);
    if (played.op === 'crash') return 'SIGKILL';
    socket.end();
    return 0;
  }
}
