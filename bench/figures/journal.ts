import { atLeast, type Benchmark } from '../figure.js';
import { measureAppends } from '../journal-appends.js';

export const journal: Benchmark = {
  key: 'journal',
  figures: [
    { name: 'journal appends per second, 64 in flight / 64-record writes and fsync', bar: atLeast(0.7) },
  ],
  measure: async ({ runs }) => {
    const { ratio, journal: rate, bare } = await measureAppends(runs);
    return [{ value: ratio, detail: `${rate.toFixed(0)}/s, ${bare.toFixed(0)}/s` }];
  },
};
