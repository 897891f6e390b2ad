import { expect, it } from 'vitest';
import type { MatchContext } from '../match.js';
import { differencesAt, matchContext, type Place, pathsOf } from './match-context.js';

/** The rule, where the values stand, the recorded one, the live one, and how they differ. */
export type Row = readonly [
  rule: string,
  place: Place,
  recorded: unknown,
  live: unknown,
  differences: readonly string[],
];

/** A context in which the client has sent these strings. */
export const sent = (...texts: string[]): Partial<MatchContext> => ({ sent: new Set(texts) });

/** One test for each row: both values matched in a fresh context. */
export function check(rows: readonly Row[], context: () => Partial<MatchContext> = () => ({})): void {
  it.each(rows.map((row) => [...row] as const))('%s (%s)', (_rule, place, recorded, live, differences) => {
    const [from, to] = [recorded, live].map((value) => JSON.stringify(value)) as [string, string];
    expect(pathsOf(differencesAt(place, from, to, matchContext(context())))).toEqual(differences);
  });
}

export const ack = {
  commandId: 'c1',
  status: 'accepted',
  turnId: 't1',
  startedNewTurn: true,
  disposition: 'started',
};
