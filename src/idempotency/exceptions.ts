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

/** Lifecycle commands answer with a session instead of the common ack. Source: session lifecycle results. */
export const LIFECYCLE: ReadonlySet<string> = new Set([
  'session/start',
  'session/resume',
  'session/fork',
  'session/sideChat',
]);
