import { experimentalUses } from '../../schema/experimental.js';
import type { Handshake } from './handshake.js';
import {
  type JsonMembers,
  kindOfError,
  type Observation,
  type ObservedFrame,
  type OpenRequest,
  type Rule,
  type RuleContext,
} from './observation.js';
import type { Verdicts } from './verdicts.js';

/** What a connection did not ask for stays closed: capabilities, the experimental surface, opted-out notifications. */
export class Gates implements Rule {
  constructor(
    private readonly verdicts: Verdicts,
    private readonly context: RuleContext,
    private readonly handshake: Handshake,
  ) {}

  observe({ at, message, request }: Observation): void {
    if (at.dir === 'client' || this.handshake.agreement === undefined) return;
    if (message.kind === 'notification') this.observeNotification(message.method, at);
    if (request === undefined || request.ambiguous) return;
    if (message.kind === 'success') this.observeServed(request, at);
    if (message.kind === 'error') this.observeRefused(request, message.error);
  }

  private observeNotification(method: string, at: ObservedFrame): void {
    const { optedOut, granted } = this.handshake.agreement ?? NOTHING;
    if (method === 'session/listChanged') {
      this.verdicts.exercise('handshake/capability-gate');
      if (!granted.has('sessionListStream'))
        this.verdicts.report('handshake/capability-gate', {
          message: 'session/listChanged arrived without a grant of sessionListStream.',
          at,
          method,
        });
    }
    if (optedOut.size === 0) return;
    this.verdicts.exercise('handshake/opt-out-honoured');
    // A notification that the bundle does not know may belong to the protected set.
    const mayBeOptedOut = this.context.bundle.notifications.has(method) && !PROTECTED.has(method);
    if (optedOut.has(method) && mayBeOptedOut)
      this.verdicts.report('handshake/opt-out-honoured', {
        message: `${method} arrived although the client opted out of it.`,
        at,
        method,
      });
  }

  private observeServed(request: OpenRequest, at: ObservedFrame): void {
    const { granted, experimentalApi } = this.handshake.agreement ?? NOTHING;
    const { method } = request;
    for (const gate of gatesOf(request)) {
      this.verdicts.exercise('handshake/capability-gate');
      if (granted.has(gate.capability)) continue;
      this.verdicts.report(
        'handshake/capability-gate',
        {
          message: `${gate.what} was served without a grant of ${gate.capability}; expected -32010 with kind capabilityRequired.`,
          at,
          method,
        },
        gate.isStated ? 'violation' : 'warning',
      );
    }
    if (experimentalApi) return;
    for (const { descriptor } of experimentalUses(this.context.bundle, method, request.params))
      this.verdicts.report('handshake/experimental-gate', {
        message: `${descriptor} is experimental and was served without the opt-in; expected kind experimentalRequired.`,
        at,
        method,
      });
  }

  private observeRefused(request: OpenRequest, error: unknown): void {
    const kind = kindOfError(error);
    if (kind === 'capabilityRequired' && gatesOf(request).length > 0)
      this.verdicts.exercise('handshake/capability-gate');
    if (kind === 'experimentalRequired') this.verdicts.exercise('handshake/experimental-gate');
  }
}

/** Delivered whatever the client opted out of (MSP backpressure: protected set). */
const PROTECTED: ReadonlySet<string> = new Set(['approval/resolved', 'userInput/settled', 'view/gap']);

interface Gate {
  readonly capability: string;
  readonly what: string;
  /** The documents state this gate; otherwise it follows from the capability's name alone. */
  readonly isStated: boolean;
}

function gatesOf({ method, params }: OpenRequest): readonly Gate[] {
  if (method === 'session/userShell') return [{ capability: 'userShell', what: method, isStated: true }];
  if (method === 'turn/start' && hasValue(params, 'userShell'))
    return [{ capability: 'userShell', what: 'turn/start with userShell', isStated: true }];
  if (method === 'feedback/submit') return [{ capability: 'feedback', what: method, isStated: false }];
  return [];
}

function hasValue(params: JsonMembers | undefined, name: string): boolean {
  return params?.[name] !== undefined && params[name] !== null;
}

const NOTHING = { granted: new Set<string>(), optedOut: new Set<string>(), experimentalApi: false } as const;
