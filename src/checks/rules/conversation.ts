import type { Message, RequestId } from '../../wire/frame.js';
import { idKey } from '../../wire/ids.js';
import { BoundedMap } from './bounded-map.js';
import { membersOf, type ObservedFrame, type OpenRequest } from './observation.js';

/** Answered ids that are remembered, to tell a second answer from one that nobody asked for. */
const ANSWERED_REMEMBERED = 2048;

/** How a response relates to the requests before it. */
export type Settlement =
  | { readonly kind: 'answer'; readonly request: OpenRequest }
  /** The id is that of an open request, but for its JSON type. */
  | { readonly kind: 'wrong-type'; readonly request: OpenRequest }
  | { readonly kind: 'second-answer' }
  | { readonly kind: 'unasked' };

/** The requests of one side of a connection, and their answers. */
export class Conversation {
  private readonly open = new Map<string, OpenRequest[]>();
  private readonly answered = new BoundedMap<string, true>(ANSWERED_REMEMBERED);

  /** Notes a request; false when one with the same id is in flight already. */
  ask(message: Message & { kind: 'request' }, at: ObservedFrame): OpenRequest {
    const key = idKey(message.id);
    const earlier = this.open.get(key) ?? this.opened(key);
    const request: OpenRequest = {
      id: message.id,
      method: message.method,
      params: membersOf(message.params),
      at,
      ambiguous: earlier.length > 0,
    };
    // Of several, all but the first were ambiguous from the start.
    if (earlier[0] !== undefined) earlier[0].ambiguous = true;
    earlier.push(request);
    return request;
  }

  /** Takes the request that a response belongs to. */
  settle(id: RequestId): Settlement {
    const request = this.take(idKey(id));
    if (request !== undefined) return { kind: 'answer', request };
    if (this.answered.get(idKey(id))) return { kind: 'second-answer' };
    const mistyped = this.take(idKey(otherType(id)));
    return mistyped === undefined ? { kind: 'unasked' } : { kind: 'wrong-type', request: mistyped };
  }

  /** What waits for an answer, oldest first within an id. */
  unanswered(): readonly OpenRequest[] {
    return [...this.open.values()].flat();
  }

  private opened(key: string): OpenRequest[] {
    const requests: OpenRequest[] = [];
    this.open.set(key, requests);
    return requests;
  }

  private take(key: string): OpenRequest | undefined {
    const requests = this.open.get(key);
    const request = requests?.shift();
    if (requests?.length === 0) this.open.delete(key);
    if (request !== undefined) this.answered.set(key, true);
    return request;
  }
}

function otherType(id: RequestId): RequestId {
  if (typeof id === 'number') return String(id);
  const number = Number(id);
  return id.trim() !== '' && Number.isSafeInteger(number) ? number : id;
}
