import type { CheckDefinition } from './catalogue/definition.js';
import { DURABILITY_CHECKS } from './catalogue/durability.js';
import { HANDSHAKE_CHECKS } from './catalogue/handshake.js';
import { IDEMPOTENCY_CHECKS } from './catalogue/idempotency.js';
import { PROCESS_CHECKS } from './catalogue/process.js';
import { REPLAY_CHECKS } from './catalogue/replay.js';
import { SCHEMA_CHECKS } from './catalogue/schema.js';
import { TOLERANCE_CHECKS } from './catalogue/tolerance.js';
import { TURN_CHECKS } from './catalogue/turn.js';
import { VIEW_CHECKS } from './catalogue/view.js';
import { WIRE_CHECKS } from './catalogue/wire.js';

export type { CheckDefinition } from './catalogue/definition.js';

const DEFINITIONS = [
  ...WIRE_CHECKS,
  ...SCHEMA_CHECKS,
  ...HANDSHAKE_CHECKS,
  ...TOLERANCE_CHECKS,
  ...VIEW_CHECKS,
  ...TURN_CHECKS,
  ...REPLAY_CHECKS,
  ...IDEMPOTENCY_CHECKS,
  ...DURABILITY_CHECKS,
  ...PROCESS_CHECKS,
] as const;

/** Every id in the catalogue, so that the compiler finds a misspelt one. */
export type CheckId = (typeof DEFINITIONS)[number]['id'];

/** All checks by id, in the order in which they are listed to people. */
export const CATALOGUE: ReadonlyMap<string, CheckDefinition> = new Map<string, CheckDefinition>(
  DEFINITIONS.map((definition) => [definition.id, definition]),
);

/** The definition of a check. Throws on an id that is not in the catalogue. */
export function checkDefinition(id: string): CheckDefinition {
  const definition = CATALOGUE.get(id);
  if (definition === undefined)
    throw new Error(`No check is called "${id}". The catalogue in src/checks/catalogue lists all of them.`);
  return definition;
}
