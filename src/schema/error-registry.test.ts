import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { checkErrorPair } from './error-registry.js';
import { bundledSchemaPath, loadBundle } from './load-bundle.js';

const bundle = await loadBundle(bundledSchemaPath());
const experimental = await loadBundle(
  fileURLToPath(new URL('fixtures/experimental.schema.json', import.meta.url)),
);

describe('code and kind of an error', () => {
  it('every registered pair is right, override kinds included', () => {
    const pairs = bundle.errors.flatMap((row) =>
      [row.kind, ...row.overrideKinds].map((kind) => [row.code, kind] as const),
    );
    expect(pairs.length).toBeGreaterThan(33);
    for (const [code, kind] of pairs) {
      expect(checkErrorPair(bundle, code, kind)).toEqual({ violations: [], notes: [] });
    }
  });

  it.each([
    ['a kind that belongs to another code', -32602, 'sessionInUse', '/data/kind', /-32021/],
    [
      'an override kind on a code that does not have it',
      -32600,
      'experimentalRequired',
      '/data/kind',
      /-32601 and -32602/,
    ],
    ['an unknown code with a known kind', -32099, 'sessionInUse', '/code', /expected -32021, found -32099/],
    ['a code that is given to no error', -32012, 'idConflict', '/code', /reserved/],
  ])('%s is a violation', (_, code, kind, path, message) => {
    const { violations, notes } = checkErrorPair(bundle, code, kind);
    expect(violations).toMatchObject([{ path, rule: 'errorPair', message: expect.stringMatching(message) }]);
    expect(notes).toEqual([]);
  });

  it.each([
    ['an unknown kind on a known code: kinds may grow', -32602, 'paramsTooOdd', 'openEnum'],
    ['an unknown kind on an unknown code of the block: codes may grow', -32090, 'brandNew', 'openEnum'],
    ['a code without a kind: the documents disagree', -32602, undefined, 'disputed'],
    ['an unknown code without a kind', -32090, undefined, 'openEnum'],
    ['a code in a reserved block: the documents disagree', -32061, 'prunedPrefix', 'disputed'],
    ['a code outside the block: the documents are silent', -1, 'brandNew', 'disputed'],
  ])('%s is a note', (_, code, kind, rule) => {
    const { violations, notes } = checkErrorPair(bundle, code, kind);
    expect(violations).toEqual([]);
    expect(notes).toMatchObject([{ rule }]);
  });

  it('an experimental row is named as such', () => {
    expect(checkErrorPair(experimental, -32029, 'worktreeBusy').notes).toMatchObject([
      { rule: 'experimental', descriptor: 'ErrorKind.worktreeBusy' },
    ]);
  });
});
