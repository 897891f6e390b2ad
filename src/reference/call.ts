import type { ExactObject } from '../wire/exact-json.js';
import type { Frame, RequestId } from '../wire/frame.js';
import type { Connection } from './connection.js';
import { type ErrorObject, ProtocolError } from './errors.js';
import type { Host } from './host.js';
import type { JsonObject } from './json.js';
import type { Answer } from './ledger.js';
import type { Session } from './session.js';
import { payloadSignature } from './signature.js';

/** One client request that passed the gates, with its params found valid. It is answered once. */
export class Call {
  #signature: string | undefined;

  constructor(
    readonly host: Host,
    readonly connection: Connection,
    readonly id: RequestId,
    readonly method: string,
    readonly params: JsonObject,
    private readonly frame: Frame,
    /** JSON Pointers into the params. */
    private readonly unknownMembers: readonly string[],
  ) {}

  get commandId(): string {
    return this.params['commandId'] as string;
  }

  get sessionId(): string {
    return this.params['sessionId'] as string;
  }

  /** The identity of the payload as it was written on the wire. */
  get signature(): string {
    this.#signature ??= this.host.seams.signature(this.#sign(), { method: this.method, params: this.params });
    return this.#signature;
  }

  /** The session that the request names, which must be loaded here. */
  loadedSession(): Session | undefined {
    return this.host.sessions.get(this.sessionId);
  }

  respond(result: JsonObject): void {
    this.connection.respond(this.id, this.method, { result });
  }

  refuse(error: ErrorObject): void {
    this.connection.respond(this.id, this.method, { error });
  }

  /** Gives an answer of the ledger again. */
  repeat(answer: Answer): void {
    this.connection.respond(this.id, this.method, answer);
  }

  #sign(): string {
    const exact = this.frame.exact?.value as ExactObject | undefined;
    return payloadSignature(this.method, exact?.['params'] ?? {}, this.unknownMembers);
  }
}

/** Throws for a session that this host has not loaded: what is wrong with it depends on where it is. */
export async function refuseUnloaded(call: Call): Promise<never> {
  const { sessionId } = call;
  const place = (await call.host.store?.whereIs(sessionId)) ?? 'nowhere';
  if (place === 'nowhere') {
    throw new ProtocolError('sessionNotFound', `there is no session ${sessionId}`, { sessionId });
  }
  if (place === 'leased') {
    throw new ProtocolError('sessionInUse', `another process has session ${sessionId} loaded`, { sessionId });
  }
  throw new ProtocolError('sessionNotLoaded', `session ${sessionId} is not loaded; resume it first`, {
    sessionId,
  });
}
