/**
 * Something that is no frame. Invalid UTF-8 and invalid JSON are not among them: those lines are frames whose
 * `invalidUtf8At` and `message` say so.
 */
export type StreamFault =
  /** A line went past the cap and was thrown away up to its end. `head` is its beginning. */
  | {
      readonly kind: 'oversizeLine';
      readonly limitBytes: number;
      readonly head: string;
      readonly atMs: number;
    }
  /** The stream ended within a line. `head` is the beginning of what there was of it. */
  | {
      readonly kind: 'unterminatedLine';
      readonly bytes: number;
      readonly head: string;
      readonly atMs: number;
    }
  /** Reading broke off, e.g. `ECONNRESET`. */
  | { readonly kind: 'readFailed'; readonly code: string; readonly atMs: number }
  /** The server does not take input any more, e.g. `EPIPE`. Its output may go on. */
  | { readonly kind: 'writeFailed'; readonly code: string; readonly atMs: number };
