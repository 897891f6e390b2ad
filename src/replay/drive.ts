import { canCrash, canRestart, type TargetSpec } from '../target/spec.js';
import type { RequestId } from '../wire/frame.js';
import { replaceValue } from '../wire/rewrite.js';
import { isBusy, postUntilAdmitted } from './busy.js';
import { liveClientFrame } from './client-frame.js';
import { type DriveContext, type LiveCommand, Stopped } from './drive-context.js';
import { expectSilence } from './exact-order.js';
import { type Outcome, toAnswer } from './exchange.js';
import { settle } from './expectations.js';
import type { ClientStep, ControlPoint, Script, ServerStep } from './script.js';

/** What a derived replay changes about a drive. */
export interface DriveHooks {
  /** Puts a request on the wire in another manner than once, and answers for it. */
  deliver?(step: ClientStep, line: string): Promise<Outcome> | undefined;
  /** Called when a command's answer has been read, before the drive goes on. */
  answered?(command: LiveCommand): Promise<void>;
  /** Asked before each client frame; true ends the drive there. */
  isEnd?(step: ClientStep): boolean;
}

export type DriveOutcome =
  | { readonly status: 'completed' | 'ended' }
  | { readonly status: 'notApplicable' | 'failed'; readonly reason: string; readonly timedOut?: boolean };

/**
 * Sends a script's client frames in order, each after the server frames that stand before it in the recording have
 * been met, and settles what is still expected at the end.
 */
export async function drive(
  script: Script,
  context: DriveContext,
  hooks: DriveHooks = {},
): Promise<DriveOutcome> {
  const expected: ServerStep[] = [];
  try {
    for (const step of script.steps) {
      if (step.kind === 'server') {
        expected.push(step);
        continue;
      }
      await settle(expected.splice(0), context, hooks, step);
      if (step.kind === 'control' && !context.settings.judges) return { status: 'ended' };
      if (step.kind === 'control') await control(step, context);
      else if (context.skipsHandshake && isHandshake(step)) continue;
      else if (hooks.isEnd?.(step)) return { status: 'ended' };
      else {
        if (step.method === 'initialized' && context.settings.judges) await listenFirst();
        send(step, context, hooks);
      }
    }
    await settle(expected.splice(0), context, hooks, undefined);
    if (context.settings.match === 'exact') await expectSilence(context);
    answerStrayRequests(context);
    return { status: 'completed' };
  } catch (stopped) {
    if (stopped instanceof Stopped) return stopped.outcome;
    throw stopped;
  }
}

/** A moment in which a server that speaks before it has been told `initialized` gives itself away. */
function listenFirst(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, LISTENING_MS));
}

const LISTENING_MS = 20;

function isHandshake(step: ClientStep): boolean {
  return step.method === 'initialize' || step.method === 'initialized';
}

function send(step: ClientStep, context: DriveContext, hooks: DriveHooks): void {
  const line = liveLine(step, context);
  if (line === undefined) return;
  context.noteSent(step);
  const { message } = step.frame;
  if (message.kind !== 'request' || step.response === undefined) return void context.exchange.send(line);
  const outcome = hooks.deliver?.(step, line) ?? post(step, line, message.id, context);
  context.awaitOutcome(step, line, outcome);
}

/** A server that has no room may say so, and is asked again, unless the recording is about just that. */
function post(step: ClientStep, line: string, id: RequestId, context: DriveContext): Promise<Outcome> {
  const { exchange, settings } = context;
  const isExpected = step.response !== undefined && isBusy(toAnswer(step.response.frame));
  return isExpected || settings.match === 'exact'
    ? exchange.post(line, id)
    : postUntilAdmitted(exchange, line, id);
}

/** Undefined for a receipt whose server request never came in this run: there is nothing to answer. */
function liveLine(step: ClientStep, context: DriveContext): string | undefined {
  if (step.receiptFor !== undefined) {
    const liveId = context.takeServerRequest(step.receiptFor);
    return liveId === undefined ? undefined : replaceValue(step.raw, ['id'], JSON.stringify(liveId));
  }
  return liveClientFrame(step, context.frameRules(step));
}

/** Server requests that the recording does not know still want a receipt. */
export function answerStrayRequests(context: DriveContext): void {
  for (const event of context.events()) {
    if (event.requestId === undefined || context.isUsed(event)) continue;
    context.use(event);
    void context.exchange.send(JSON.stringify({ jsonrpc: '2.0', id: event.requestId, result: {} }));
  }
}

async function control(step: ControlPoint, context: DriveContext): Promise<void> {
  if (step.op === 'wait') return;
  const refusal = cannotCarryOut(step.op, context.stage.options.spec);
  if (refusal !== undefined) context.stop('notApplicable', `line ${step.line}: ${refusal}`);
  await context.stage.control(step.op);
}

/** Why the harness cannot do to this target what the line says. */
function cannotCarryOut(op: 'restart' | 'crash' | 'reconnect', spec: TargetSpec): string | undefined {
  if (op === 'restart' && !canRestart(spec)) return 'the target cannot be restarted; give --restart-command';
  if (op === 'crash' && !canCrash(spec))
    return 'the target cannot be killed; give --kill-command and --restart-command';
  if (op === 'reconnect' && spec.address.kind === 'stdio')
    return 'a stdio server has one connection in its life';
  return undefined;
}
