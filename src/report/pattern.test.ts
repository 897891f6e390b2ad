import { describe, expect, it } from 'vitest';
import { compilePattern } from './pattern.js';

describe('a pattern', () => {
  it.each([
    ['goal-set', 'goal-set', 'idempotency/x', true],
    ['goal-set', 'goal-set-2', 'idempotency/x', false],
    ['goal-*', 'goal-set', 'idempotency/x', true],
    ['*', 'goal-set', 'idempotency/x', true],
    ['goal-set:*', 'goal-set', 'idempotency/x', true],
    ['*:idempotency/*', 'goal-set', 'idempotency/x', true],
    ['*:idempotency/*', 'goal-set', 'wire/x', false],
    [':wire/*', 'goal-set', 'wire/x', true],
    ['goal-{set,clear}:*/x', 'goal-clear', 'wire/x', true],
    ['[', 'goal-set', 'wire/x', false],
  ])('%s on %s:%s', (pattern, scenario, check, matches) => {
    expect(compilePattern(pattern).matchesCheck(scenario, check)).toBe(matches);
  });

  it('knows whether it names checks, and whether its scenario part is a glob', () => {
    expect(compilePattern('a-*:b/c')).toMatchObject({ namesCheck: true, isScenarioGlob: true });
    expect(compilePattern('a')).toMatchObject({ namesCheck: false, isScenarioGlob: false });
  });
});
