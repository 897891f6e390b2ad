import type { ExactObject } from '../wire/exact-json.js';

/**
 * Events that the documents promise for what they report. Everything else in a recording (opened items, deltas,
 * status, usage, branch and health news) is the recorded server's habit: another server may leave it out.
 */
export const PROMISED_EVENTS: ReadonlySet<string> = new Set([
  'turn/started',
  'turn/completed',
  'turn/unqueued',
  'turn/retracted',
  'session/goalChanged',
  'session/nameChanged',
  'session/modelChanged',
  'session/approvalModeChanged',
  'session/reasoningEffortChanged',
  'approval/requested',
  'approval/resolved',
  'userInput/requested',
  'userInput/settled',
]);

/** True when a conformant server must show this event where the recording has it. Params as exact or native JSON. */
export function isPromisedEvent(
  method: string,
  params: ExactObject | Readonly<Record<string, unknown>>,
): boolean {
  if (PROMISED_EVENTS.has(method)) return true;
  const item = params['item'] as Readonly<Record<string, unknown>> | undefined;
  return method === 'item/completed' && item?.['kind'] === 'userMessage';
}
