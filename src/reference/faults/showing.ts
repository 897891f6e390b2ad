import type { Showing } from '../faults.js';

/** The recorded exchange alone: enough for what is wrong in every exchange. */
export function replaying(...scenarios: readonly string[]): Showing {
  return { scenarios, passes: [] };
}

/** Derived passes of some scenarios. */
export function deriving(passes: readonly string[], ...scenarios: readonly string[]): Showing {
  return { scenarios, passes };
}

/** The bundled scenarios that faults are shown by, named for what happens in them. */
export const A_TURN = 'turn-plain';
export const A_FAILED_TURN = 'turn-failing';
export const A_QUEUED_TURN = 'turn-queue';
/** A turn that waits behind another is reclaimed. */
export const A_RECLAIMED_TURN = 'turn-unqueue';
/** A slow turn is cancelled by its id. */
export const A_STOPPED_TURN = 'turn-cancel';
export const STATE_CHANGES = 'session-settings';
/** Goal verbs, some of them without a goal. */
export const GOALS = 'goal-verbs';
export const AN_APPROVAL = 'approval-approve';
/** Pages of few events, one after the other. */
export const PAGES = 'view-page';
/** A session is resumed with each form of history. */
export const RESUMES = 'session-resume';
/** A request before the handshake, a second handshake, a method that nobody knows. */
export const HANDSHAKES = 'handshake-order';
export const AN_OPT_OUT = 'handshake-opt-out';
export const AN_UNGRANTED_CAPABILITY = 'handshake-capability-gate';
export const AN_EXPERIMENTAL_MEMBER = 'handshake-experimental-member';
/** Submits whose params are wrong. */
export const BAD_PARAMS = 'turn-start-refusals';
/** Lines that are no JSON. */
export const BAD_LINES = 'wire-malformed';
/** Members that nobody knows. */
export const UNKNOWN_MEMBERS = 'wire-tolerance';
