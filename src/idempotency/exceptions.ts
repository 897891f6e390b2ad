/**
 * What the documents except from the ledger's rules, each with its source. Commands themselves are recognised from
 * the bundle; only the exceptions are listed.
 */

/**
 * Deduplicated for the host's life only: the work that they target cannot survive a restart.
 * Source: Commands and idempotency, cross-restart dedupe, the carrier-less rows.
 */
const CARRIERLESS: ReadonlyMap<string, string | undefined> = new Map([
  ['turn/interrupt', 'turnId'],
  ['turn/cancel', 'turnId'],
  ['task/stop', 'taskId'],
  ['task/stopAll', undefined],
]);

export function isCarrierless(method: string): boolean {
  return CARRIERLESS.has(method);
}

/** The member by which a carrier-less command names its target; undefined for a sweep. */
export function targetMember(method: string): string | undefined {
  return CARRIERLESS.get(method);
}

/**
 * Errors by which a decision on an approval or a prompt may be answered after a crash that came between its ack and
 * its terminal record: the old prompt is closed with its host.
 * Source: Approvals, decisions across a host restart; user input likewise.
 */
const CLOSED_WITH_ITS_HOST: ReadonlySet<string> = new Set([
  'approvalAlreadyResolved',
  'approvalNotFound',
  'approvalRequirementStale',
  'userInputAlreadySettled',
  'userInputNotFound',
]);

/** True when this error kind says that the approval or prompt that a command is about is over. */
export function saysPromptIsOver(method: string, errorKind: string | undefined): boolean {
  const isDecision = method.startsWith('approval/') || method.startsWith('userInput/');
  return isDecision && errorKind !== undefined && CLOSED_WITH_ITS_HOST.has(errorKind);
}

/** Commands that make a session of their own. A resume only loads one. Source: session lifecycle. */
const MAKES_SESSION: ReadonlySet<string> = new Set(['session/start', 'session/fork', 'session/sideChat']);

export function makesSession(method: string): boolean {
  return MAKES_SESSION.has(method);
}

/** Planes whose commands set work going that starts turns and reports progress without being asked again. */
const SELF_WORKERS = ['goal/', 'subagent/', 'workflow/', 'task/'] as const;

/** True when what the command sets going goes on by itself: turns may bear its id long after its ack. */
export function setsWorkGoing(method: string): boolean {
  return SELF_WORKERS.some((plane) => method.startsWith(plane));
}
