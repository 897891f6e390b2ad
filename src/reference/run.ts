import type { ErrorObject } from './errors.js';
import { commandRejected } from './errors.js';
import { addItem, budgeted, completeItem } from './items.js';
import { type JsonObject, present } from './json.js';
import { abortApprovals } from './prompts/approval.js';
import { abortUserInputs } from './prompts/user-input.js';
import type { Reply, Script, Wait } from './provider/script.js';
import { scriptFor } from './provider/table.js';
import type { Session } from './session.js';
import { runUserShell } from './shell.js';
import type { Submission, TurnRef } from './state.js';
import { reportUsage, usageOf } from './token-usage.js';

/** A turn that is running: the script that drives it, and what it waits for. */
export interface Run extends TurnRef {
  readonly submission: Submission;
  readonly startedMs: number;
  script: Script | undefined;
  wait: Wait | undefined;
  cancelTimer: (() => void) | undefined;
  /** Texts that were steered in and not answered yet. */
  readonly steers: string[];
  /** Items that end with the turn. Work in the background does not. */
  readonly foreground: Set<string>;
  userMessageId: string | undefined;
  /** What the model has said so far, in words. */
  outputTokens: number;
  firstTokenMs: number | undefined;
  /** Set by a script that fails; the turn ends with it. */
  failure: Failure | undefined;
}

export interface Failure {
  readonly error: JsonObject;
  readonly reason: string;
}

/** How a turn ends: `failed` with an error, `cancelled` perhaps with a reason. */
export interface Ending {
  readonly terminal: 'completed' | 'failed' | 'cancelled';
  readonly error?: JsonObject;
  readonly reason?: string;
}

/** Starts a turn. One that a goal wakes has no message of the user. */
export function launch(
  session: Session,
  turn: TurnRef,
  submission: Submission,
  wokenBy: 'user' | 'goal' = 'user',
): void {
  if (submission.workspaceRoots) session.record('roots', { workspaceRoots: submission.workspaceRoots });
  const run = startRun(session, turn, submission);
  session.emit('turn/started', { turnId: turn.turnId, commandId: turn.commandId });
  if (wokenBy === 'user') run.userMessageId = addUserMessage(session, run, turn.commandId, submission);
  if (submission.userShell !== undefined) runUserShell(session, turn.commandId, submission.userShell);
  advance(session);
}

/** Goes on with a turn that waited for an approval when its host died. */
export function takeUp(session: Session, turn: TurnRef, submission: Submission, itemId: string): void {
  startRun(session, turn, submission, itemId).foreground.add(itemId);
  advance(session);
}

/** Lets the script go on, with what it waited for, until it waits again or is through. */
export function advance(session: Session, reply?: Reply): void {
  const run = session.run;
  if (!run?.script) return;
  run.cancelTimer?.();
  run.cancelTimer = undefined;
  const step = run.script.next(reply);
  if (run.failure) endTurn(session, { terminal: 'failed', ...run.failure });
  else if (step.done) endTurn(session, { terminal: 'completed' });
  else wait(session, run, step.value);
}

function wait(session: Session, run: Run, until: Wait): void {
  run.wait = until;
  if (until.ms !== undefined) run.cancelTimer = session.host.later(until.ms, () => advance(session));
}

/** Puts input into the running turn. */
export function steer(session: Session, run: Run, commandId: string, submission: Submission): void {
  addUserMessage(session, run, commandId, submission, { steered: true });
  run.steers.push(submission.text);
}

/** Ends the running turn, whatever it waits for, settles its command, and lets the next one start. */
export function endTurn(session: Session, ending: Ending): void {
  const run = session.run;
  if (!run) return;
  session.run = undefined;
  run.cancelTimer?.();
  abortApprovals(session, run.turnId);
  abortUserInputs(session, run.turnId);
  for (const itemId of run.foreground)
    completeItem(session, itemId, ending.terminal, failureOf(session, itemId, ending));
  if (ending.terminal === 'completed') reportUsage(session, run);
  session.emit('turn/completed', {
    turnId: run.turnId,
    ...ending,
    ...timesOf(session, run),
    ...(ending.terminal === 'completed' && { usage: usageOf(run) }),
  });
  session.settle(run.commandId);
  launchNext(session);
}

/** Launches the turn at the head of the queue, if nothing runs. */
export function launchNext(session: Session): void {
  if (session.run || session.host.isDraining) return;
  const next = session.host.seams.nextTurn(session.state.queue[0], {
    state: session.state,
    isReloaded: session.isReloaded,
  });
  if (!next) return;
  if (next.submission.text.startsWith(UNLAUNCHABLE_CUE)) failLaunch(session, next);
  else launch(session, next, next.submission);
}

/** The cue of a submit whose launch fails if it was queued. */
export const UNLAUNCHABLE_CUE = '#unlaunchable';

/** A queued turn whose launch fails never starts: its terminal is all that is ever seen of it. */
function failLaunch(session: Session, { turnId, commandId }: TurnRef): void {
  const message = 'the queued turn could not be launched';
  const error = { kind: 'launchError', message, retryable: true };
  session.emit('turn/completed', { turnId, terminal: 'failed', reason: message, error });
  session.settle(commandId, deferredStartFailed(commandId, message));
  launchNext(session);
}

function deferredStartFailed(commandId: string, message: string): ErrorObject {
  return commandRejected(commandId, 'deferred_start_failed', message);
}

function startRun(session: Session, turn: TurnRef, submission: Submission, reopenedItem?: string): Run {
  const run: Run = {
    turnId: turn.turnId,
    commandId: turn.commandId,
    submission,
    startedMs: session.host.clock.now(),
    script: undefined,
    wait: undefined,
    cancelTimer: undefined,
    steers: [],
    foreground: new Set(),
    userMessageId: undefined,
    outputTokens: 0,
    firstTokenMs: undefined,
    failure: undefined,
  };
  run.script = scriptFor(session, run, reopenedItem);
  session.run = run;
  return run;
}

function addUserMessage(
  session: Session,
  run: Run,
  commandId: string,
  submission: Submission,
  extra: { readonly steered?: true } = {},
): string {
  const { displayText, attachments = [] } = submission;
  const itemId = session.host.ids.next();
  const named = attachments.map((entry, index) => ({ attachmentId: `${itemId}/${index + 1}`, ...entry }));
  return addItem(
    session,
    present({
      kind: 'userMessage',
      turnId: run.turnId,
      ...budgeted(submission.text),
      commandId,
      displayText,
      attachments: named.length > 0 ? named : undefined,
      ...extra,
    }),
    itemId,
  );
}

function failureOf({ state }: Session, itemId: string, { reason }: Ending): JsonObject {
  return state.items.get(itemId)?.kind === 'toolCall' ? present({ failureReason: reason }) : {};
}

function timesOf(session: Session, { startedMs, firstTokenMs }: Run): JsonObject {
  const durationMs = Math.max(0, session.host.clock.now() - startedMs);
  const timeToFirstTokenMs = firstTokenMs === undefined ? undefined : Math.max(0, firstTokenMs - startedMs);
  return present({ durationMs, timeToFirstTokenMs });
}
