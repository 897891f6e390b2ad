import { decodeFrame } from '../wire/decode.js';
import { readTranscript } from './read-transcript.js';

/** What a recording makes a server do. */
export interface Exercised {
  /** Methods that the client calls, with whether a call was ever answered by a result. */
  readonly methods: ReadonlyMap<string, { readonly succeeds: boolean }>;
  /** Notifications of either side. */
  readonly notifications: ReadonlySet<string>;
  /** Requests that the server sends. */
  readonly requests: ReadonlySet<string>;
  /** `data.kind` of the server's errors. */
  readonly errorKinds: ReadonlySet<string>;
}

/** Reads a transcript for what it exercises, in constant memory. Throws `InputError`. */
export async function exercisedBy(transcriptPath: string): Promise<Exercised> {
  const methods = new Map<string, { succeeds: boolean }>();
  const notifications = new Set<string>();
  const requests = new Set<string>();
  const errorKinds = new Set<string>();
  const asked = new Map<string | number, string>();
  for await (const step of readTranscript(transcriptPath)) {
    if (step.dir === 'control') continue;
    const { message } = decodeFrame(step.raw);
    const isClient = step.dir === 'client';
    if (message.kind === 'notification') notifications.add(message.method);
    else if (message.kind === 'request' && !isClient) requests.add(message.method);
    else if (message.kind === 'request') {
      asked.set(message.id, message.method);
      if (!methods.has(message.method)) methods.set(message.method, { succeeds: false });
    } else if (message.kind === 'success' && !isClient) {
      const method = methods.get(asked.get(message.id) ?? '');
      if (method !== undefined) method.succeeds = true;
    } else if (message.kind === 'error' && !isClient) {
      const kind = kindOf(message.error);
      if (kind !== undefined) errorKinds.add(kind);
    }
  }
  return { methods, notifications, requests, errorKinds };
}

function kindOf(error: unknown): string | undefined {
  const { data } = (error ?? {}) as { readonly data?: unknown };
  const { kind } = (data ?? {}) as { readonly kind?: unknown };
  return typeof kind === 'string' ? kind : undefined;
}
