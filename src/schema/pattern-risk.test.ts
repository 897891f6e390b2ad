import { describe, expect, it } from 'vitest';
import { mayExplode } from './pattern-risk.js';

describe('mayExplode', () => {
  it.each([
    '(a+)+$',
    '^(a*)*b',
    '(?:x|(y+))*',
    '((a{2,})b?)+',
    '(?<name>\\d+)*',
    '([^]]+)*',
    '(a+){3,}',
    '((a)+)+',
  ])('%s may', (pattern) => {
    expect(mayExplode(pattern)).toBe(true);
  });

  it.each([
    '^[a-z0-9_]+$',
    '^sha256:[0-9a-f]{64}$',
    '^(?:ab|cd)*$',
    '(a+)(b+)',
    '(a+)?',
    '(a+){2}',
    '\\(a+\\)+',
    '[(a+)]+',
    '(?=a+)b+',
    'a+b*c{2,}',
    '',
  ])('%s may not', (pattern) => {
    expect(mayExplode(pattern)).toBe(false);
  });
});
