import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { experimentalUses } from './experimental.js';
import { bundledSchemaPath, loadBundle } from './load-bundle.js';
import { validatorFor } from './validate.js';

const experimental = await loadBundle(
  fileURLToPath(new URL('fixtures/experimental.schema.json', import.meta.url)),
);
const bundled = await loadBundle(bundledSchemaPath());
const validator = validatorFor(experimental);

describe('an experimental bundle', () => {
  it('loads with its methods, notifications and errors marked', () => {
    expect(experimental.methods.get('log/page')).toMatchObject({
      stability: 'experimental',
      descriptor: 'log/page',
    });
    expect(experimental.methods.get('session/start')?.stability).toBe('stable');
    expect(experimental.notifications.get('account/changed')?.stability).toBe('experimental');
    expect(experimental.errors.find((row) => row.kind === 'worktreeBusy')?.stability).toBe('experimental');
  });
});

describe('what a request uses that needs the opt-in', () => {
  it.each([
    ['a stable request', { commandId: 'c', mode: 'fast' }, []],
    ['a member', { commandId: 'c', budget: 3 }, [{ path: '/budget', descriptor: 'session/start.budget' }]],
    [
      'a member whose type is marked too, once',
      { commandId: 'c', worktree: { branch: 'b' } },
      [{ path: '/worktree', descriptor: 'session/start.worktree' }],
    ],
    ['a variant', { commandId: 'c', mode: 'dreaming' }, [{ path: '/mode', descriptor: 'Mode.dreaming' }]],
  ])('%s', (_, params, uses) => {
    expect(experimentalUses(experimental, 'session/start', params)).toEqual(uses);
    expect(validator.validateParams('session/start', params).violations).toEqual([]);
  });

  it('the method itself', () => {
    expect(experimentalUses(experimental, 'log/page', {})).toEqual([{ path: '', descriptor: 'log/page' }]);
  });

  it('turn/start.tokenBudget of the bundled schema', () => {
    const params = { sessionId: 's', commandId: 'c', input: [], tokenBudget: 1 };
    expect(experimentalUses(bundled, 'turn/start', params)).toEqual([
      { path: '/tokenBudget', descriptor: 'turn/start.tokenBudget' },
    ]);
  });

  it('nothing, for a method that the bundle does not know', () => {
    expect(experimentalUses(experimental, 'no/such', { budget: 1 })).toEqual([]);
  });
});

describe('experimental values are still held to their types', () => {
  it.each([
    [{ commandId: 'c', budget: 0 }, '/budget', 'range'],
    [{ commandId: 'c', budget: null }, '/budget', 'type'],
    [{ commandId: 'c', mode: 'asleep' }, '/mode', 'enum'],
  ])('%j', (params, path, rule) => {
    expect(validator.validateParams('session/start', params).violations).toMatchObject([{ path, rule }]);
  });
});
