import type { ExactJson, ExactObject } from '../wire/exact-json.js';
import { asCommand } from './commands.js';
import type { DriveHooks } from './drive.js';
import type { DriveContext } from './drive-context.js';
import { type Answer, type LiveEvent, type Outcome, toAnswer, type Waited } from './exchange.js';
import { settleInOrder } from './exact-order.js';
import { isSameEvent } from './lists.js';
import { matchValue } from './match.js';
import { awaitSources } from './needed-values.js';
import { checkPrerequisites } from './prerequisites.js';
import { isPromisedEvent } from './promises.js';
import type { ClientStep, ServerStep } from './script.js';

/**
 * Meets the recorded server frames that stand before the next client frame: answers first, since they are always
 * owed, then promised events and server requests, then whatever carries a value that the next frame needs.
 */
export async function settle(
  expected: readonly ServerStep[],
  context: DriveContext,
  hooks: DriveHooks,
  next: { readonly line: number } | undefined,
): Promise<void> {
  if (context.settings.match === 'exact') await settleInOrder(expected, context);
  for (const step of expected) if (step.role === 'response') await settleResponse(step, context, hooks);
  if (context.settings.match === 'exact') return;
  for (const step of expected) {
    if (step.role === 'orphan') await settleOrphan(step, context);
    else if (step.role !== 'response' && isOwed(step, context)) await settleEvent(step, context);
  }
  if (next !== undefined) await awaitSources(next, context);
}

async function settleResponse(step: ServerStep, context: DriveContext, hooks: DriveHooks): Promise<void> {
  const asked = step.asked as ClientStep;
  const sent = context.outcomeOf(asked);
  if (sent === undefined) return;
  const outcome = await sent.outcome;
  if (outcome.kind === 'none') return missingAnswer(asked, outcome.why, context);
  if (context.settings.match === 'conformant') judgeAnswer(step, asked, outcome, context);
  if (asked.method === 'initialize' && outcome.kind === 'result') {
    context.stage.noteIdentity(outcome.value);
    checkPrerequisites(outcome.value, context);
  }
  const command = asCommand(asked, sent.line, outcome, sent.sentMs);
  if (command === undefined) return noteSessions(outcome, context);
  context.commands.push(command);
  context.stage.knownCommands.add(command.commandId);
  noteSessions(outcome, context);
  if (command.sessionId !== undefined) context.sessions.add(command.sessionId);
  await hooks.answered?.(command);
}

function missingAnswer(asked: ClientStep, why: 'timeout' | 'closed', context: DriveContext): void {
  const { method = 'frame' } = asked;
  const where = { step: asked.line, method, evidence: context.exchange.trace.tail() };
  if (why === 'closed') {
    const message = `The server ended the connection while ${method} (line ${asked.line}) was waiting for its answer.`;
    context.report('process/no-crash', { status: 'failed', message, ...where });
    context.stop('failed', message);
  }
  const message = `${method} (line ${asked.line}) got no answer within ${context.exchange.timeoutMs} ms.`;
  context.report('replay/answered', { status: 'failed', message, ...where });
  context.stop('failed', message, true);
}

function judgeAnswer(step: ServerStep, asked: ClientStep, live: Answer, context: DriveContext): void {
  const recorded = toAnswer(step.frame);
  const { method = '' } = asked;
  context.report('replay/answered', { status: 'passed', step: asked.line, method });
  if (recorded.kind !== live.kind) return answeredOtherwise(recorded, asked, live, context);
  const root = live.kind === 'result' ? context.bundle.resultRoot(method) : context.bundle.errorRoot();
  const path = [live.kind];
  const differences = matchValue(recorded.value, live.value, root?.schema, context.matchContext(), path);
  context.report('replay/response-matches', {
    status: differences.length > 0 ? 'failed' : 'passed',
    message: differences.length > 0 ? `The answer to ${method} differs from the recording (line ${step.line}).` : '',
    step: step.line,
    method,
    differences,
    ...(differences.length > 0 && { evidence: context.exchange.trace.tail() }),
  });
}

/** An error where the recording has a result, or the other way round. What follows would be a consequence: the drive ends. */
function answeredOtherwise(recorded: Answer, asked: ClientStep, live: Answer, context: DriveContext): never {
  const { method = 'the request' } = asked;
  const prerequisite = live.kind === 'error' ? missingPrerequisite(asked, live, context) : undefined;
  if (prerequisite !== undefined) context.stop('notApplicable', prerequisite);
  const message =
    live.kind === 'error'
      ? `${method} was refused with ${live.code} ${live.errorKind ?? ''} where the recording has a result.`
      : `${method} was accepted where the recording has the error ${recorded.code} ${recorded.errorKind ?? ''}.`;
  context.report('replay/response-matches', {
    status: 'failed',
    message,
    step: asked.response?.line ?? asked.line,
    method,
    differences: [
      { path: `/${recorded.kind}`, kind: 'missing', expected: recorded.value },
      { path: `/${live.kind}`, kind: 'extra', actual: live.value },
    ],
    evidence: context.exchange.trace.tail(),
  });
  context.stop('failed', message);
}

/** Why an error means that the scenario cannot be run here, rather than that the server is at fault. */
function missingPrerequisite(asked: ClientStep, live: Answer, context: DriveContext): string | undefined {
  const { method = '' } = asked;
  if (live.errorKind === 'methodNotFound' && context.settings.require !== 'all' && !CORE_METHODS.has(method)) {
    return `the server does not have ${method} (methodNotFound)`;
  }
  if (live.errorKind === 'capabilityRequired') return `the server did not grant the capability that ${method} needs`;
  const sessionId = asked.params['sessionId'];
  const isForeign = typeof sessionId === 'string' && context.bindings.liveOf(sessionId) === undefined;
  if (isForeign && method !== 'session/start' && SESSION_MISSING.has(live.errorKind ?? '')) {
    return `the recording continues a session (${sessionId}) that the server under test does not hold`;
  }
  return undefined;
}

/** Without these there is no session to speak of. */
const CORE_METHODS: ReadonlySet<string> = new Set(['initialize', 'session/start', 'turn/start']);
const SESSION_MISSING: ReadonlySet<string> = new Set(['sessionNotFound', 'sessionNotLoaded', 'notFound']);

async function settleOrphan(step: ServerStep, context: DriveContext): Promise<void> {
  const found = await context.exchange.until(() => context.takeOrphan());
  const { line } = step;
  if ('kind' in found) {
    const message = `The error without an id of line ${line} did not come.`;
    context.report('replay/event-matches', { status: 'failed', message, step: line, evidence: context.exchange.trace.tail() });
    return context.stop('failed', message, found.why === 'timeout');
  }
  const recorded = toAnswer(step.frame).value;
  const schema = context.bundle.errorRoot().schema;
  const differences = matchValue(recorded, toAnswer(found.value).value, schema, context.matchContext(), ['error']);
  context.report('replay/response-matches', {
    status: differences.length > 0 ? 'failed' : 'passed',
    message: differences.length > 0 ? `The error without an id differs from the recording (line ${line}).` : '',
    step: line,
    differences,
  });
}

/** True when a server must send this frame where the recording has it. */
function isOwed(step: ServerStep, context: DriveContext): boolean {
  if (step.role === 'request') return true;
  if (!isPromisedEvent(step.method ?? '', step.params)) return isEchoedMessage(step, context);
  return !isOfUnaskedTurn(step, context);
}

/** Under the behaviour `echo` the agent's message is owed as well. */
function isEchoedMessage(step: ServerStep, context: DriveContext): boolean {
  const item = step.params['item'] as Readonly<Record<string, unknown>> | undefined;
  const isMessage = step.method === 'item/completed' && item?.['kind'] === 'agentMessage';
  return isMessage && context.matchContext().isEchoTurn(String(item?.['turnId']));
}

/** Turns that nobody asked for with turn/start (a goal's, a recovered one) are the server's business. */
function isOfUnaskedTurn(step: ServerStep, context: DriveContext): boolean {
  const item = step.params['item'] as Readonly<Record<string, unknown>> | undefined;
  const turnId = step.params['turnId'] ?? item?.['turnId'];
  return typeof turnId === 'string' && !context.askedTurns.has(turnId);
}

async function settleEvent(step: ServerStep, context: DriveContext): Promise<void> {
  const found = await untilEvent(step, context);
  const check = step.role === 'request' ? 'replay/server-request-matches' : 'replay/event-matches';
  const where = { step: step.line, method: step.method ?? '' };
  if ('kind' in found) {
    const how = found.why === 'closed' ? 'before the connection ended' : `within ${context.exchange.timeoutMs} ms`;
    const message = `${step.method} of line ${step.line} did not come ${how}.`;
    context.report(check, { status: 'failed', message, ...where, evidence: context.exchange.trace.tail() });
    return context.stop('failed', message, found.why === 'timeout');
  }
  const differences = bindEvent(step, found.value, context);
  context.report(check, {
    status: differences.length > 0 ? 'failed' : 'passed',
    message: differences.length > 0 ? `${step.method} differs from the recording (line ${step.line}).` : '',
    ...where,
    differences,
    ...(differences.length > 0 && { evidence: context.exchange.trace.tail() }),
  });
}

/** Waits for the first live event that can stand for the recorded one and does not stand for another yet. */
export function untilEvent(step: ServerStep, context: DriveContext): Promise<Waited<LiveEvent>> {
  const recorded = wholeOf(step.frame.exact?.value);
  return context.exchange.untilEvent(context.firstEvent, (event) => {
    if (event.method !== step.method || context.isUsed(event) || (step.role === 'request') !== (event.requestId !== undefined)) return false;
    return isSameEvent(recorded, wholeOf(event.frame.exact?.value), context);
  });
}

/** Pairs a live event with the recorded one: binds what it mints and tells how the two differ. */
export function bindEvent(step: ServerStep, event: LiveEvent, context: DriveContext) {
  context.use(event);
  if (event.requestId !== undefined) context.bindServerRequest(step, event.requestId);
  const { bundle } = context;
  const root = event.requestId === undefined ? bundle.notificationRoot(event.method) : bundle.requestRoot(event.method);
  const recorded = wholeOf(step.frame.exact?.value)['params'] ?? null;
  const live = wholeOf(event.frame.exact?.value)['params'] ?? null;
  return matchValue(recorded, live, root?.schema, context.matchContext(), ['params']);
}

function wholeOf(value: ExactJson | undefined): ExactObject {
  return (value ?? {}) as ExactObject;
}

function noteSessions(outcome: Outcome, context: DriveContext): void {
  if (outcome.kind !== 'result') return;
  const session = wholeOf(outcome.value)['session'] as ExactObject | undefined;
  if (typeof session?.['sessionId'] === 'string') context.sessions.add(session['sessionId']);
}
