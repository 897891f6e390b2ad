import type { Seams } from './faults.js';
import type { JsonObject } from './json.js';
import type { Transport } from './transport.js';

/** How far a client may lag behind before its view events are dropped and marked with a gap. */
export const BACKLOG_LIMIT_BYTES = 8 * 1024 * 1024;

/** Where an event stands: which session's view, at which cursor. */
interface Place {
  readonly sessionId: string;
  readonly viewCursor: string;
}

/** How far the handshake has come. */
export type Phase = 'new' | 'answered' | 'ready';

interface Subscription {
  /** The last cursor that was delivered, or where the subscription began. */
  delivered: string;
  /** Set while events are missing: the exclusive lower bound of the hole. */
  gapAfter: string | undefined;
}

/**
 * The outgoing side of one connection: encodes frames, keeps each of them under the limit, and drops what a slow client
 * cannot take. Only view events are ever dropped, and every hole is marked before the next event that follows it.
 */
export class Egress {
  readonly #subscriptions = new Map<string, Subscription>();

  constructor(
    private readonly transport: Transport,
    private readonly seams: Seams,
    private readonly frameLimitBytes: number,
    private readonly backlogLimitBytes = BACKLOG_LIMIT_BYTES,
  ) {}

  /** The subscription of a session begins, strictly after `cursor`. */
  follow(sessionId: string, cursor: string): void {
    this.#subscriptions.set(sessionId, { delivered: cursor, gapAfter: undefined });
  }

  unfollow(sessionId: string): void {
    this.#subscriptions.delete(sessionId);
  }

  /** Writes a frame that must not be lost. False when it is over the limit, and was not written. */
  send(frame: JsonObject, method: string, phase: Phase): boolean {
    const text = encode(frame);
    if (!this.#fits(text)) return false;
    this.#write(frame, text, method, phase);
    return true;
  }

  /** Writes a view event, or leaves a hole where it would have been. A protected event is written whatever the backlog. */
  sendEvent(frame: JsonObject, place: Place, isProtected: boolean): void {
    const subscription = this.#subscriptions.get(place.sessionId);
    if (!subscription) return;
    const isRoom = isProtected || this.transport.backlog() <= this.backlogLimitBytes;
    const text = isRoom ? encode(frame) : '';
    if (!isRoom || !this.#fits(text)) {
      subscription.gapAfter ??= subscription.delivered;
      return;
    }
    if (subscription.gapAfter !== undefined)
      this.#sendGap(subscription.gapAfter, place, frame['emittedAtMs']);
    subscription.gapAfter = undefined;
    subscription.delivered = place.viewCursor;
    this.#write(frame, text, frame['method'] as string, 'ready');
  }

  #write(frame: JsonObject, text: string, method: string, phase: Phase): void {
    const { params } = frame as { params?: JsonObject };
    const at = { method, phase, connection: this, ...(params && { params }) };
    for (const outgoing of this.seams.frames([frame], at)) {
      const written = outgoing === frame ? text : encode(outgoing);
      this.transport.write(this.seams.text(written, { ...at, frame: outgoing }));
    }
  }

  /** The limit does not count the line end. */
  #fits(text: string): boolean {
    return Buffer.byteLength(text) - 1 <= this.frameLimitBytes;
  }

  #sendGap(after: string, { sessionId, viewCursor }: Place, emittedAtMs: unknown): void {
    const params = { sessionId, after, next: viewCursor };
    this.send({ jsonrpc: '2.0', method: 'view/gap', params, emittedAtMs }, 'view/gap', 'ready');
  }
}

function encode(frame: JsonObject): string {
  return `${JSON.stringify(frame)}\n`;
}
