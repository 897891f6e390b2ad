import type { RequestId } from './frame.js';

/** A key that tells ids apart as MSP does: `1` and `"1"` differ, `1` and `1.0` do not. */
export function idKey(id: RequestId): string {
  return typeof id === 'string' ? `s:${id}` : `n:${id}`;
}

/** The requests of one direction that have no answer yet. Each direction of a connection has its own id space. */
export class PendingRequests<T> {
  private readonly byKey = new Map<string, { readonly id: RequestId; readonly request: T }>();

  get size(): number {
    return this.byKey.size;
  }

  /** False, and nothing changed, when a request with this id is already in flight. */
  add(id: RequestId, request: T): boolean {
    const key = idKey(id);
    if (this.byKey.has(key)) {
      return false;
    }
    this.byKey.set(key, { id, request });
    return true;
  }

  get(id: RequestId): T | undefined {
    return this.byKey.get(idKey(id))?.request;
  }

  /** Takes the request that an answer settles; undefined when none with this id is in flight. */
  settle(id: RequestId): T | undefined {
    const key = idKey(id);
    const entry = this.byKey.get(key);
    this.byKey.delete(key);
    return entry?.request;
  }

  /** What is in flight, oldest first. */
  entries(): { readonly id: RequestId; readonly request: T }[] {
    return [...this.byKey.values()];
  }
}
