import { byMessage, type Problem, type Problems } from '../problems.js';

/** The failures and warnings that get a card of their own; the scenario list has every one. */
export function cardsOf({ violations, warnings }: Problems): {
  readonly failures: readonly Problem[];
  /** Those that say the same share a card. */
  readonly warnings: readonly (readonly [Problem, ...Problem[]])[];
} {
  return { failures: violations.slice(0, CARDS), warnings: byMessage(warnings).slice(0, CARDS) };
}

/** A page of hundreds of cards helps nobody. */
const CARDS = 200;
