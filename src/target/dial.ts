import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { SocketAddress } from './address.js';

/** Why no connection came about: the last attempt's error code, or `ETIMEDOUT` when it was never answered. */
export class DialError extends Error {
  override readonly name = 'DialError';
  constructor(readonly code: string) {
    super(code);
  }
}

/** Dials again and again until a server answers, the limit is over or the signal says that none will. Rejects with `DialError`. */
export async function dialUntil(
  address: SocketAddress,
  limitMs: number,
  signal: AbortSignal,
): Promise<Socket> {
  const deadline = performance.now() + limitMs;
  for (let pauseMs = 2; ; pauseMs = Math.min(2 * pauseMs, 100)) {
    try {
      return await dial(address, Math.max(deadline - performance.now(), 1), signal);
    } catch (error) {
      if (signal.aborted || performance.now() + pauseMs >= deadline) throw error;
    }
    // The next attempt sees the signal too.
    await delay(pauseMs, undefined, { signal }).catch(() => {});
  }
}

/** One attempt. The socket stays open for writing when the server ends its direction. Rejects with `DialError`. */
export function dial(address: SocketAddress, limitMs: number, signal?: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = new DialledSocket({ allowHalfOpen: true });
    const fail = (code: string) => {
      settle();
      socket.destroy();
      reject(new DialError(code));
    };
    const timer = setTimeout(() => fail('ETIMEDOUT'), limitMs);
    const onAbort = () => fail('ABORTED');
    const onError = (error: NodeJS.ErrnoException) => fail(error.code ?? error.message);
    const settle = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      socket.off('error', onError);
      // A destroyed socket may still have an error to tell.
      socket.on('error', () => {});
    };
    socket.on('error', onError);
    socket.once('connect', () => {
      if (isConnectedToItself(socket)) return fail('ECONNREFUSED');
      settle();
      resolve(socket);
    });
    if (signal?.aborted) return fail('ABORTED');
    signal?.addEventListener('abort', onAbort);
    socket.connect(
      address.kind === 'unix' ? { path: address.path } : { host: address.host, port: address.port },
    );
    if (address.kind === 'tcp') socket.setNoDelay(true);
  });
}

/** TCP lets a port that nobody listens on answer itself, when the caller happens to be given that very port. */
function isConnectedToItself(socket: Socket): boolean {
  return (
    socket.localPort !== undefined &&
    socket.localPort === socket.remotePort &&
    socket.localAddress === socket.remoteAddress
  );
}

/** A write that fails must not throw away what the server had said before. */
class DialledSocket extends Socket {
  override destroy(error?: NodeJS.ErrnoException): this {
    return error?.syscall === 'write' && !this.readableEnded ? this : super.destroy(error);
  }
}
