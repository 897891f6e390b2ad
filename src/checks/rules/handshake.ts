import { validatorFor } from '../../schema/validate.js';
import {
  type JsonMembers,
  kindOfError,
  membersOf,
  type Observation,
  type ObservedFrame,
  type OpenRequest,
  type Rule,
  type RuleContext,
} from './observation.js';
import type { Verdicts } from './verdicts.js';

/** What a connection agreed on; absent before initialize succeeded. */
export interface Agreement {
  readonly granted: ReadonlySet<string>;
  readonly experimentalApi: boolean;
  readonly optedOut: ReadonlySet<string>;
  /** As announced; `durable` when absent. */
  readonly durability: string;
}

/** The order of the handshake, and what its result says. */
export class Handshake implements Rule {
  agreement: Agreement | undefined;
  private initializeSent = false;
  private initializedSent = false;
  /** Requests sent before any initialize, and repeated initializes. */
  private early = new WeakSet<ObservedFrame>();
  private repeated = new WeakSet<ObservedFrame>();

  constructor(
    private readonly verdicts: Verdicts,
    private readonly context: RuleContext,
  ) {}

  observe({ at, message, request }: Observation): void {
    if (at.dir === 'client') {
      if (message.kind === 'request') this.observeAsked(message.method, at);
      if (message.kind === 'notification' && message.method === 'initialized') this.initializedSent = true;
      return;
    }
    if (message.kind === 'notification' || message.kind === 'request')
      this.observeSilence(message.method, at);
    if ((message.kind !== 'success' && message.kind !== 'error') || request === undefined) return;
    const error = message.kind === 'error' ? message.error : undefined;
    if (this.early.has(request.at)) this.observeEarly(request, error, at);
    else if (this.repeated.has(request.at) && this.agreement !== undefined)
      this.observeRepeated(request, error, at);
    else if (request.method === 'initialize') this.observeInitialize(request, message, at);
  }

  connectionClosed(): void {
    this.agreement = undefined;
    this.initializeSent = false;
    this.initializedSent = false;
    this.early = new WeakSet();
    this.repeated = new WeakSet();
  }

  private observeAsked(method: string, at: ObservedFrame): void {
    if (method === 'initialize') {
      if (this.initializeSent) this.repeated.add(at);
      this.initializeSent = true;
    } else if (!this.initializeSent) {
      this.early.add(at);
    }
  }

  private observeSilence(method: string, at: ObservedFrame): void {
    this.verdicts.exercise('handshake/silent-before-initialized');
    if (this.initializedSent) return;
    this.verdicts.report('handshake/silent-before-initialized', {
      message: `The server sent ${method} before the client’s initialized notification.`,
      at,
      method,
    });
  }

  private observeEarly(request: OpenRequest, error: unknown, at: ObservedFrame): void {
    this.verdicts.exercise('handshake/not-initialized');
    if (isRefusal(error, 'notInitialized')) return;
    const found = error === undefined ? 'a result' : `kind ${kindOfError(error)}`;
    // Which of two faults is told first is left open, so only a request with this one fault must be told of it.
    const isOnlyFault = error === undefined || this.isSound(request);
    this.verdicts.report(
      'handshake/not-initialized',
      {
        message: `${request.method} before initialize was answered with ${found}; expected -32600 with kind notInitialized.`,
        at,
        method: request.method,
      },
      isOnlyFault ? 'violation' : 'warning',
    );
  }

  private observeRepeated(request: OpenRequest, error: unknown, at: ObservedFrame): void {
    this.verdicts.exercise('handshake/already-initialized');
    if (isRefusal(error, 'alreadyInitialized')) return;
    const found = error === undefined ? 'a result' : `kind ${kindOfError(error)}`;
    this.verdicts.report(
      'handshake/already-initialized',
      {
        message: `A second initialize was answered with ${found}; expected -32600 with kind alreadyInitialized.`,
        at,
        method: request.method,
      },
      error === undefined || this.isSound(request) ? 'violation' : 'warning',
    );
  }

  private observeInitialize(request: OpenRequest, message: Observation['message'], at: ObservedFrame): void {
    if (message.kind !== 'success') {
      if (!this.isSound(request)) return;
      this.verdicts.report('handshake/completed', {
        message: 'A valid initialize was refused.',
        at,
        method: 'initialize',
      });
      return;
    }
    this.verdicts.exercise('handshake/completed');
    const result = membersOf(message.result) ?? {};
    const asked = membersOf(request.params?.['capabilities']) ?? {};
    this.observeResult(result, asked, at);
    this.agreement = {
      granted: new Set(texts(result['grantedCapabilities'])),
      experimentalApi: result['experimentalApi'] === true,
      optedOut: new Set(texts(asked['optOutNotificationMethods'])),
      durability: typeof result['sessionDurability'] === 'string' ? result['sessionDurability'] : 'durable',
    };
  }

  private observeResult(result: JsonMembers, asked: JsonMembers, at: ObservedFrame): void {
    const { verdicts } = this;
    verdicts.exercise('handshake/experimental-echo');
    if (result['experimentalApi'] === true && asked['experimentalApi'] !== true)
      verdicts.report('handshake/experimental-echo', {
        message: 'experimentalApi is true although the client did not ask for it.',
        at,
      });
    verdicts.exercise('handshake/granted-subset');
    const requested = new Set(texts(asked['requestedCapabilities']));
    const unasked = texts(result['grantedCapabilities']).filter((name) => !requested.has(name));
    if (unasked.length > 0)
      // A policy may imply grants: the documents allow for it.
      verdicts.report(
        'handshake/granted-subset',
        {
          message: `Granted without having been requested: ${unasked.join(', ')}. A policy must imply it.`,
          at,
        },
        'note',
      );
    verdicts.exercise('schema/fingerprint');
    const served = membersOf(result['schema'])?.['fingerprint'];
    // A recording announces the bundle of its day; its manifest is compared instead.
    if (this.context.live && typeof served === 'string' && served !== this.context.bundle.fingerprint)
      verdicts.report('schema/fingerprint', {
        message: `The server announces ${served}; checks are made against ${this.context.bundle.fingerprint}.`,
        at,
      });
  }

  /** Nothing else is wrong with the request, as far as the bundle tells. */
  private isSound({ method, params }: OpenRequest): boolean {
    if (!this.context.bundle.methods.has(method)) return false;
    return validatorFor(this.context.bundle).validateParams(method, params).violations.length === 0;
  }
}

function isRefusal(error: unknown, kind: string): boolean {
  return membersOf(error)?.['code'] === -32600 && kindOfError(error) === kind;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
