import type { DriveContext } from './drive-context.js';
import { isRecord } from './exchange.js';
import type { ClientStep, ServerStep } from './script.js';

/**
 * True when a request acts on a turn that no turn/start asked for (a goal's, a recovered one): how long such a turn
 * runs is not in our hands, so neither is what the request brings about.
 */
export function actsOnUnaskedTurn(step: ClientStep, context: DriveContext): boolean {
  if (!ACTS_ON_A_TURN.has(step.method ?? '')) return false;
  const target = step.params['turnId'] ?? step.params['expectedTurnId'];
  return typeof target === 'string' ? !context.askedTurns.has(target) : mayMeetUnaskedTurn(step, context);
}

/** True for a recorded event that may hang on an unasked turn which the drive acted on: of that session, of no asked turn. */
export function hangsOnUnaskedTurn({ params }: ServerStep, context: DriveContext): boolean {
  if (!context.unaskedTurnSessions.has(params['sessionId'])) return false;
  const { item, turnId } = params;
  const turn = turnId ?? (isRecord(item) ? item['turnId'] : undefined);
  return !(typeof turn === 'string' && context.askedTurns.has(turn));
}

/** What a request without a turn id acts on: an asked turn that runs at that line, else any unasked one of the session. */
function mayMeetUnaskedTurn(asked: ClientStep, { script, askedTurns }: DriveContext): boolean {
  const { sessionId } = asked.params;
  const running = new Set<unknown>();
  let hasUnasked = false;
  for (const step of script.steps) {
    if (step.kind === 'client' && step.response !== undefined && step.response.line < asked.line) {
      const started = startedTurn(step);
      if (started !== undefined && step.params['sessionId'] === sessionId) running.add(started);
    }
    if (step.kind !== 'server' || step.params['sessionId'] !== sessionId) continue;
    const { turnId } = step.params;
    if (step.method === 'turn/started') hasUnasked ||= !askedTurns.has(String(turnId));
    if (step.line > asked.line) continue;
    if (step.method === 'turn/started') running.add(turnId);
    if (step.method === 'turn/completed') running.delete(turnId);
  }
  return hasUnasked && ![...running].some((turnId) => askedTurns.has(String(turnId)));
}

function startedTurn({ method, response }: ClientStep): unknown {
  const message = response?.frame.message;
  if (method !== 'turn/start' || message?.kind !== 'success' || !isRecord(message.result)) return undefined;
  return message.result['disposition'] === 'started' ? message.result['turnId'] : undefined;
}

const ACTS_ON_A_TURN: ReadonlySet<string> = new Set([
  'turn/steer',
  'turn/cancel',
  'turn/interrupt',
  'turn/unqueue',
]);
