import type { ExactDocument } from './exact-json.js';

/** A JSON-RPC request id as MSP allows it: a string or an integer. `1` and `"1"` are different ids. */
export type RequestId = string | number;

/** The side that wrote a frame. */
export type Direction = 'client' | 'server';

/**
 * A frame's shape. Exactly the four JSON-RPC shapes, or `invalid` with what is wrong and,
 * where one could be read, the id.
 */
export type Message =
  | { readonly kind: 'request'; readonly id: RequestId; readonly method: string; readonly params?: unknown }
  | { readonly kind: 'notification'; readonly method: string; readonly params?: unknown }
  | { readonly kind: 'success'; readonly id: RequestId; readonly result: unknown }
  | { readonly kind: 'error'; readonly id: RequestId | null; readonly error: unknown }
  | { readonly kind: 'invalid'; readonly problem: string; readonly id?: unknown };

/** One line of the wire, decoded once. */
export interface Frame {
  /** The text between two line feeds, exactly as read (a trailing CR is kept). */
  readonly raw: string;
  /** `JSON.parse(raw)`, or undefined when `raw` is no JSON. Numbers may have lost digits: compare with `exact`. */
  readonly value: unknown;
  readonly message: Message;
  /** The lossless reading, computed on first use. Undefined when `raw` is no JSON. */
  readonly exact: ExactDocument | undefined;
  /** Set when the bytes were not valid UTF-8: offset of the first bad byte in the line. */
  readonly invalidUtf8At?: number;
}
