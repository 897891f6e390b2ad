import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.js';

describe('the nearest name', () => {
  it.each([
    ['exlpain', 'explain'],
    ['repot', 'report'],
    ['valid', 'validate'],
    ['RUN', 'run'],
    ['zzzzzz', undefined],
    ['explian', 'explain'],
    ['velid', 'validate'],
    ['', undefined],
  ])('to %j is %j', (typed, name) => {
    expect(nearest(typed, ['run', 'report', 'validate', 'explain', 'list'])).toBe(name);
  });
});
