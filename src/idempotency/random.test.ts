import { describe, expect, it } from 'vitest';
import { derivedSeed, seededRandom } from './random.js';

describe('a seeded generator', () => {
  it('gives the same numbers for the same seed, others for another', () => {
    const draw = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
  });

  it('stays in [0, 1) and spreads over it', () => {
    const numbers = Array.from({ length: 2_000 }, seededRandom(1));
    expect(Math.min(...numbers)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers)).toBeLessThan(1);
    const tenths = new Set(numbers.map((number) => Math.floor(number * 10)));
    expect(tenths.size).toBe(10);
  });

  it('draws for one part independently of another', () => {
    expect(derivedSeed(7, 'a')).toBe(derivedSeed(7, 'a'));
    expect(new Set([derivedSeed(7, 'a'), derivedSeed(7, 'b'), derivedSeed(8, 'a')]).size).toBe(3);
  });
});
