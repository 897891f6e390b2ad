import type { Socket } from 'node:net';
import { StreamConnection } from './stream-connection.js';

/** The connections of one host to its server. */
export class SocketConnections {
  readonly #open = new Set<StreamConnection>();

  add(socket: Socket, options: { readonly frameLimitBytes: number; clock(): number }): StreamConnection {
    const connection = new StreamConnection({ from: socket, to: socket }, options);
    this.#open.add(connection);
    socket.once('close', () => this.#open.delete(connection));
    return connection;
  }

  /** Says on each that no more will be sent. Resolves when the server has ended them all, too. */
  async closeInput(): Promise<void> {
    await Promise.all(
      [...this.#open].map((connection) => {
        connection.closeInput();
        connection.resume();
        return connection.closed;
      }),
    );
  }

  /** Delivers what a dead server had sent, then closes them all. */
  async finish(): Promise<void> {
    await Promise.all([...this.#open].map((connection) => connection.finish()));
  }

  destroy(): void {
    for (const connection of this.#open) connection.destroy();
  }
}
