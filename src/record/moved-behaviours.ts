import type { BehaviourName, Scenario } from '../transcript/scenario.js';
import type { UnplacedStep } from '../transcript/write-transcript.js';
import { decodeFrame } from '../wire/decode.js';

/**
 * A manifest tells behaviours by line, and in a new recording of the same client frames those stand on other lines.
 * Undefined when the manifest tells none.
 */
export function movedBehaviours(
  { manifest, steps }: Scenario,
  after: readonly UnplacedStep[],
): Readonly<Record<string, BehaviourName>> | undefined {
  const behaviours = manifest?.conformance?.behaviours;
  if (behaviours === undefined) return undefined;
  const from = steps.filter(isClientsOwn).map(({ line }) => line);
  const to = after.flatMap((step, index) => (isClientsOwn(step) ? [index + 1] : []));
  const moved = Object.entries(behaviours).map(([line, name]) => [
    to[from.indexOf(Number(line))] ?? line,
    name,
  ]);
  return Object.fromEntries(moved);
}

/** Receipts come in other numbers on another day. */
function isClientsOwn(step: UnplacedStep): boolean {
  if (step.dir !== 'client') return false;
  const { kind } = decodeFrame(step.raw).message;
  return kind !== 'success' && kind !== 'error';
}
