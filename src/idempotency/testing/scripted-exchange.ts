import { Exchange } from '../../replay/exchange.js';
import { Trace } from '../../replay/trace.js';
import type { Connection, ReceivedFrame } from '../../target/connection.js';
import { decodeFrame } from '../../wire/decode.js';
import { type Json, type Reply, refusal } from './server-state.js';

export interface Scripted {
  readonly exchange: Exchange;
  /** Requests that have been asked, in order. */
  readonly asked: readonly { readonly method: string; readonly params: Json }[];
  /** Lets the server say something. */
  tell(method: string, params: Json, id?: number): void;
  close(): void;
}

/** An exchange with a server that answers each request as it is told; a method that it does not know is not found. */
export function scriptedExchange(
  answers: Readonly<Record<string, (params: Json) => Reply>> = {},
  timeoutMs = 5_000,
): Scripted {
  const asked: { method: string; params: Json }[] = [];
  let listener: (received: ReceivedFrame) => void = () => {};
  let close: (why: 'end') => void = () => {};
  const write = (frame: Json) =>
    listener({ frame: decodeFrame(JSON.stringify({ jsonrpc: '2.0', ...frame })), atMs: 0 });
  const connection: Connection = {
    send: async (line) => {
      const {
        id,
        method,
        params = {},
      } = JSON.parse(line.toString()) as { id: string; method: string; params?: Json };
      asked.push({ method, params });
      queueMicrotask(() =>
        write({ id, ...(answers[method]?.(params) ?? refusal(-32601, 'methodNotFound')) }),
      );
    },
    sendRaw: async () => {},
    onFrame: (listen) => {
      listener = listen;
    },
    onFault: () => {},
    closed: new Promise((resolve) => {
      close = resolve;
    }),
    pause: () => {},
    resume: () => {},
    pendingBytes: 0,
    closeInput: () => {},
    destroy: () => {},
  };
  return {
    exchange: new Exchange(connection, new Trace(() => 0), timeoutMs),
    asked,
    tell: (method, params, id) => write(id === undefined ? { method, params } : { id, method, params }),
    close: () => close('end'),
  };
}
