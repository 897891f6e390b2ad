import type { Problem, Problems } from '../problems.js';

/** The failures and warnings that get a card of their own; the scenario list has every one. */
export function cardsOf({ violations, warnings }: Problems): {
  readonly failures: readonly Problem[];
  readonly warnings: readonly Problem[];
} {
  return { failures: violations.slice(0, CARDS), warnings: warnings.slice(0, CARDS) };
}

/** A page of hundreds of cards helps nobody. */
const CARDS = 200;
