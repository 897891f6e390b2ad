import type { DriveContext } from './drive-context.js';
import { type Answer, isRecord } from './exchange.js';
import { isLateStop } from './open-outcomes.js';
import type { ClientStep } from './script.js';
import { actsOnUnaskedTurn } from './unasked-turns.js';

/** Why an error means that the scenario cannot be run here, rather than that the server is at fault. */
export function missingPrerequisite(
  asked: ClientStep,
  live: Answer,
  context: DriveContext,
): string | undefined {
  const { method = '' } = asked;
  if (
    live.errorKind === 'methodNotFound' &&
    context.settings.require !== 'all' &&
    !CORE_METHODS.has(method)
  ) {
    return `the server does not have ${method} (methodNotFound)`;
  }
  if (live.errorKind === 'capabilityRequired')
    return `the server did not grant the capability that ${method} needs`;
  if (live.errorKind === 'computerUseUnavailable' && method.startsWith('computerUseSettings/'))
    return `this host has no computer use (computerUseUnavailable), which ${method} is about`;
  if (live.errorKind === 'experimentalRequired' && asksForExperiments(context)) {
    return `${method} uses an experimental surface that the server did not open`;
  }
  const sessionId = asked.params['sessionId'];
  const isForeign = typeof sessionId === 'string' && context.bindings.liveOf(sessionId) === undefined;
  if (isForeign && method !== 'session/start' && SESSION_MISSING.has(live.errorKind ?? '')) {
    return `the recording continues a session (${sessionId}) that the server under test does not hold`;
  }
  if (actsOnUnaskedTurn(asked, context) && !NEVER_EXCUSED.has(live.errorKind ?? '')) {
    return `${method} is about a turn that nobody can be asked to keep running, and here it was over (${live.errorKind})`;
  }
  if (
    NAMES_AN_OFFER.has(method) &&
    live.errorKind === 'commandRejected' &&
    live.reason !== 'command_id_conflict'
  ) {
    const what = `${method} asks for something that this host does not seem to offer`;
    return `${what} (${live.reason ?? 'commandRejected'}); if it does offer it, the refusal is a fault`;
  }
  return undefined;
}

/**
 * Why what follows an accepted stop cannot be expected here: it was aimed at a turn that nobody could keep running, and
 * that turn was over before. Undefined where the turn was the recording's to end.
 */
export function missedTarget(asked: ClientStep, context: DriveContext): string | undefined {
  if (!actsOnUnaskedTurn(asked, context)) return undefined;
  const target = asked.params['turnId'] ?? asked.params['expectedTurnId'];
  const live = typeof target === 'string' ? context.bindings.liveOf(target) : undefined;
  const isOver = context
    .events()
    .some(
      ({ method, params }) => method === 'turn/completed' && live !== undefined && params['turnId'] === live,
    );
  if (!isOver || isLateStop(asked, context)) return undefined;
  return `${asked.method} is about a turn that nobody can be asked to keep running, and here it was over before`;
}

function asksForExperiments({ script }: DriveContext): boolean {
  const capabilities = script.handshake?.params['capabilities'];
  return isRecord(capabilities) && capabilities['experimentalApi'] === true;
}

/** Commands that pick from what a host happens to offer: its models, their tiers, the modes under its ceiling. */
const NAMES_AN_OFFER: ReadonlySet<string> = new Set([
  'session/setModel',
  'session/setReasoningEffort',
  'session/setApprovalMode',
]);

/** A turn that is over is no reason for these, and neither is a method that all must have. */
const NEVER_EXCUSED: ReadonlySet<string> = new Set([
  'internal',
  'invalidParams',
  'invalidRequest',
  'methodNotFound',
]);

/** Without these there is no session to speak of. */
const CORE_METHODS: ReadonlySet<string> = new Set(['initialize', 'session/start', 'turn/start']);
const SESSION_MISSING: ReadonlySet<string> = new Set(['sessionNotFound', 'sessionNotLoaded', 'notFound']);
