export interface Comparison {
  /** `subject / base`, the median over the rounds. */
  readonly ratio: number;
  /** The medians of both sides. */
  readonly subject: number;
  readonly base: number;
}

/**
 * Measures two things in turns, so that both meet the same machine, after one round that warms the caches up. The
 * ratio is taken in each round: what slows the machine down for a while slows both sides of a round.
 */
export async function compare(
  rounds: number,
  subject: () => Promise<number>,
  base: () => Promise<number>,
): Promise<Comparison> {
  await base();
  await subject();
  const pairs: { subject: number; base: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    // Neither side always comes first.
    if (round % 2 === 0) pairs.push({ base: await base(), subject: await subject() });
    else pairs.push({ subject: await subject(), base: await base() });
  }
  return {
    ratio: median(pairs.map((pair) => pair.subject / pair.base)),
    subject: median(pairs.map((pair) => pair.subject)),
    base: median(pairs.map((pair) => pair.base)),
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = [
    sorted[middle - (sorted.length % 2 === 0 ? 1 : 0)],
    sorted[middle],
  ];
  return (low + high) / 2;
}
