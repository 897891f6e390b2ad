import type { Verdict } from '../checks/findings.js';
import type { ExactJson, ExactObject } from '../wire/exact-json.js';
import { isBusy } from './busy.js';
import { asCommand } from './commands.js';
import type { DriveHooks } from './drive.js';
import type { DriveContext } from './drive-context.js';
import { settleInOrder } from './exact-order.js';
import { type Answer, type LiveEvent, type Outcome, toAnswer, type Waited } from './exchange.js';
import { isLookalike, isSameEvent } from './lists.js';
import { matchValue } from './match.js';
import { missedTarget, missingPrerequisite } from './missing-prerequisite.js';
import { awaitSources } from './needed-values.js';
import { isLateStop, isOpenDifference } from './open-outcomes.js';
import { checkPrerequisites } from './prerequisites.js';
import type { ClientStep, ControlPoint, ServerStep } from './script.js';
import { hangsOnUnaskedTurn } from './unasked-turns.js';

/**
 * Meets the recorded server frames that stand before the next client frame: answers first, since they are always
 * owed, then promised events and server requests, then whatever carries a value that the next frame needs.
 */
export async function settle(
  expected: readonly ServerStep[],
  context: DriveContext,
  hooks: DriveHooks,
  next: ClientStep | ControlPoint | undefined,
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

async function missingAnswer(
  asked: ClientStep,
  why: 'timeout' | 'closed',
  context: DriveContext,
): Promise<never> {
  if (why === 'closed' && context.settings.judges) await context.stage.assertStarted();
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
  if (recorded.kind !== live.kind && isLateStop(asked, context)) return;
  if (recorded.kind !== live.kind) answeredOtherwise(recorded, asked, live, context);
  if (live.kind === 'error' && recorded.errorKind !== live.errorKind) {
    const prerequisite = missingPrerequisite(asked, live, context);
    if (prerequisite !== undefined) context.stop('notApplicable', prerequisite);
  }
  const missed = live.kind === 'result' ? missedTarget(asked, context) : undefined;
  if (missed !== undefined) context.stop('notApplicable', missed);
  const root = live.kind === 'result' ? context.bundle.resultRoot(method) : context.bundle.errorRoot();
  const path = [live.kind];
  const differences = matchValue(recorded.value, live.value, root, context.matchContext(), path).filter(
    (difference) => !isOpenDifference(difference, asked),
  );
  context.report('replay/response-matches', {
    status: differences.length > 0 ? 'failed' : 'passed',
    message:
      differences.length > 0 ? `The answer to ${method} differs from the recording (line ${step.line}).` : '',
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
  context.stop('failed', message, isBusy(live));
}

async function settleOrphan(step: ServerStep, context: DriveContext): Promise<void> {
  const found = await context.exchange.until(() => context.takeOrphan(step));
  const { line } = step;
  if ('kind' in found) {
    const message = `The error without an id of line ${line} did not come.`;
    context.report('replay/event-matches', {
      status: 'failed',
      message,
      step: line,
      evidence: context.exchange.trace.tail(),
    });
    return context.stop('failed', message, found.why === 'timeout');
  }
  const recorded = toAnswer(step.frame).value;
  const differences = matchValue(
    recorded,
    toAnswer(found.value).value,
    context.bundle.errorRoot(),
    context.matchContext(),
    ['error'],
  );
  context.report('replay/response-matches', {
    status: differences.length > 0 ? 'failed' : 'passed',
    message:
      differences.length > 0 ? `The error without an id differs from the recording (line ${line}).` : '',
    step: line,
    differences,
  });
}

/** True when a server must send this frame where the recording has it. Under the behaviour `echo` the agent's message is owed as well. */
function isOwed(step: ServerStep, context: DriveContext): boolean {
  return step.role === 'request' || context.owed.onStream(step) || isEchoedMessage(step, context);
}

function isEchoedMessage({ method, params }: ServerStep, context: DriveContext): boolean {
  const item = params['item'] as Readonly<Record<string, unknown>> | undefined;
  const isMessage = method === 'item/completed' && item?.['kind'] === 'agentMessage';
  return isMessage && context.matchContext().isEchoTurn(String(item?.['turnId']));
}

async function settleEvent(step: ServerStep, context: DriveContext): Promise<void> {
  const found = await untilEvent([step], context);
  if (!('kind' in found)) return judgeEvent(step, found.value, context);
  const how =
    found.why === 'closed' ? 'before the connection ended' : `within ${context.exchange.timeoutMs} ms`;
  const lookalike = findLookalike(step, context);
  const message =
    lookalike === undefined
      ? `${step.method} of line ${step.line} did not come ${how}.`
      : `${step.method} of line ${step.line} did not come with the recorded value ${how}.`;
  if (hangsOnUnaskedTurn(step, context)) {
    const reason = `${message} It hangs on a turn that nobody can be asked to keep running.`;
    context.stop('notApplicable', reason, found.why === 'timeout');
  }
  if (lookalike !== undefined) judgeEvent(step, lookalike, context);
  else report(step, { status: 'failed', message, evidence: context.exchange.trace.tail() }, context);
  context.stop('failed', message, found.why === 'timeout');
}

function judgeEvent(step: ServerStep, event: LiveEvent, context: DriveContext): void {
  const differences = bindEvent(step, event, context);
  const isSame = differences.length === 0;
  const message = isSame ? '' : `${step.method} differs from the recording (line ${step.line}).`;
  const evidence = isSame ? [] : context.exchange.trace.tail();
  report(step, { status: isSame ? 'passed' : 'failed', message, differences, evidence }, context);
}

function report(step: ServerStep, verdict: Verdict, context: DriveContext): void {
  const check = step.role === 'request' ? 'replay/server-request-matches' : 'replay/event-matches';
  context.report(check, { ...verdict, step: step.line, method: step.method ?? '' });
}

/** Waits for the first live event that can stand for one of the recorded ones and does not stand for another yet. */
export function untilEvent(steps: readonly ServerStep[], context: DriveContext): Promise<Waited<LiveEvent>> {
  const first = Math.min(...steps.map(({ method = '' }) => context.unused.first(method)));
  return context.exchange.untilEvent(first, (event) =>
    steps.some((step) => canStandFor(step, event, context)),
  );
}

/** True when a live event stands for no other recorded one yet and is the recorded one under another server's ids. */
export function canStandFor(step: ServerStep, event: LiveEvent, context: DriveContext): boolean {
  return (
    isFree(step, event, context) &&
    isSameEvent(wholeOf(step.frame.exact?.value), wholeOf(event.frame.exact?.value), context.matchContext())
  );
}

function isFree(step: ServerStep, event: LiveEvent, context: DriveContext): boolean {
  if (event.method !== step.method || context.isUsed(event)) return false;
  return (step.role === 'request') === (event.requestId !== undefined);
}

/** An event that tells of the same thing and says something else of it. */
function findLookalike(step: ServerStep, context: DriveContext): LiveEvent | undefined {
  const recorded = wholeOf(step.frame.exact?.value);
  return context
    .events()
    .find(
      (event) =>
        isFree(step, event, context) &&
        isLookalike(recorded, wholeOf(event.frame.exact?.value), context.matchContext()),
    );
}

/** Pairs a live event with the recorded one: binds what it mints and tells how the two differ. */
export function bindEvent(step: ServerStep, event: LiveEvent, context: DriveContext) {
  context.use(event, step);
  if (event.requestId !== undefined) context.bindServerRequest(step, event.requestId);
  const { bundle } = context;
  const root =
    event.requestId === undefined ? bundle.notificationRoot(event.method) : bundle.requestRoot(event.method);
  const recorded = wholeOf(step.frame.exact?.value)['params'] ?? null;
  const live = wholeOf(event.frame.exact?.value)['params'] ?? null;
  return matchValue(recorded, live, root, context.matchContext(), ['params']);
}

function wholeOf(value: ExactJson | undefined): ExactObject {
  return (value ?? {}) as ExactObject;
}

function noteSessions(outcome: Outcome, context: DriveContext): void {
  if (outcome.kind !== 'result') return;
  const session = wholeOf(outcome.value)['session'] as ExactObject | undefined;
  if (typeof session?.['sessionId'] === 'string') context.sessions.add(session['sessionId']);
}
