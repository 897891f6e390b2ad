import type { Difference } from '../wire/difference.js';
import type { DriveContext } from './drive-context.js';
import type { ClientStep } from './script.js';

/**
 * True for a stop of a turn that was over already: an ack without effect and a durable rejection are both right.
 */
export function isLateStop(asked: ClientStep, { script }: DriveContext): boolean {
  if (asked.method !== 'turn/cancel' && asked.method !== 'turn/interrupt') return false;
  const { turnId } = asked.params;
  return script.steps.some(
    (step) =>
      step.kind === 'server' &&
      step.line < asked.line &&
      step.method === 'turn/completed' &&
      step.params['turnId'] === turnId,
  );
}

/** True for a difference on which the documents are silent: what the ack of a replacing input says of the replacement. */
export function isOpenDifference({ path }: Difference, asked: ClientStep): boolean {
  if (asked.method !== 'turn/start' || asked.params['ifBusy'] !== 'replace') return false;
  return path === '/result/disposition' || path === '/result/startedNewTurn';
}
