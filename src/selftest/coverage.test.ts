import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../checks/catalogue.js';
import { DERIVED_PASSES } from '../checks/finding.js';
import { IDEMPOTENCY_CASES, TURN_CASES } from '../checks/rules/testing/command-cases.js';
import { SCHEMA_CASES } from '../checks/rules/testing/schema-cases.js';
import { VIEW_CASES } from '../checks/rules/testing/view-cases.js';
import { WIRE_CASES } from '../checks/rules/testing/wire-cases.js';
import { FAULTS } from '../reference/faults/table.js';

/** Checks of which a crafted stream proves that they can fail. */
const CRAFTED = new Set(
  Object.keys({ ...WIRE_CASES, ...SCHEMA_CASES, ...VIEW_CASES, ...TURN_CASES, ...IDEMPOTENCY_CASES }),
);

/** Checks that fail for no fault and no crafted stream, each with the reason. */
const UNPROVEN: ReadonlyMap<string, string> = new Map([
  ['replay/unexpected-frame', 'fails under --match exact alone; proven beside the replay'],
]);

describe.each(FAULTS)('the fault $name', ({ caughtBy, warnsOnly, shownBy }) => {
  it('names checks of the catalogue that can give what it asks for', () => {
    for (const id of caughtBy) {
      expect(CATALOGUE.get(id), id).toBeDefined();
      if (warnsOnly === undefined) expect(CATALOGUE.get(id)?.severity, id).toBe('must');
    }
  });

  it('names passes that there are', () => {
    expect(shownBy.scenarios.length).toBeGreaterThan(0);
    expect(shownBy.passes.filter((pass) => !(DERIVED_PASSES as readonly string[]).includes(pass))).toEqual(
      [],
    );
  });
});

it('every check that can fail a run is proven to fail', () => {
  const caught = new Set(FAULTS.flatMap((fault) => fault.caughtBy));
  const required = [...CATALOGUE.values()].filter(({ severity }) => severity === 'must').map(({ id }) => id);
  const unproven = required.filter((id) => !caught.has(id) && !CRAFTED.has(id));
  expect(unproven.sort()).toEqual([...UNPROVEN.keys()].sort());
});
