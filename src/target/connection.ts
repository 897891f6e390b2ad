import type { Frame } from '../wire/frame.js';
import type { StreamFault } from '../wire/stream-fault.js';

export interface ReceivedFrame {
  readonly frame: Frame;
  /** When the bytes that complete the frame were read, on the host's clock. */
  readonly atMs: number;
}

/** One connection to the server. Reading starts with the first `onFrame`, so no frame is ever lost. */
export interface Connection {
  /** One frame; the LF is added. Resolves when the operating system has it, or can never have it (`closed` and `writeFailed` tell). Never rejects. */
  send(line: string | Uint8Array): Promise<void>;
  /** Bytes as they are. Resolves as `send` does. */
  sendRaw(bytes: Uint8Array): Promise<void>;
  /** Frames come in wire order, one call each, synchronously as parsed. The first call starts the reading. */
  onFrame(listener: (received: ReceivedFrame) => void): void;
  /** Set before `onFrame`, or in the same tick. */
  onFault(listener: (fault: StreamFault) => void): void;
  /** Resolves once, when no further frame can come: the server's end, a broken stream, or our own `destroy`. Never rejects. */
  readonly closed: Promise<'end' | 'reset' | 'local'>;
  /** Stops reading; frames of the chunk in hand (64 KiB at most) still come. */
  pause(): void;
  resume(): void;
  /** Bytes that were sent and that the server has not let the operating system take. */
  readonly pendingBytes: number;
  /** Ends our direction only: the server's stdin, or a FIN. */
  closeInput(): void;
  /** Drops the connection without ceremony. */
  destroy(): void;
}
