import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { mintedPaths, pathPattern } from './varying-paths.js';

describe('minted paths', () => {
  it('are those whose values are other UUIDs in every recording', () => {
    const fixed = v7();
    const recording = (chunks: number, n: number) => [
      frame({ id: 1, result: { session: { sessionId: v7(), fixed, n, name: `name ${n}` } } }),
      frame({
        id: 2,
        result: { turns: [{ turnId: v7() }, { turnId: v7() }], sometimes: n === 1 ? v7() : fixed },
      }),
      ...Array.from({ length: chunks }, () =>
        frame({ method: 'item/delta', params: { itemId: v7(), delta: 'x' } }),
      ),
      { dir: 'client', raw: JSON.stringify({ id: 9, params: { commandId: v7() } }) } as const,
      { dir: 'control', op: 'restart' } as const,
    ];
    const paths = mintedPaths([recording(1, 1), recording(3, 2), recording(2, 3)]);
    expect(paths).toEqual([
      'params.itemId',
      'result.session.sessionId',
      'result.sometimes',
      'result.turns.*.turnId',
    ]);
  });

  it('are none where there is nothing to compare with', () => {
    expect(mintedPaths([])).toEqual([]);
    expect(mintedPaths([[frame({ id: 1, result: { a: v7() } })]])).toEqual([]);
  });

  it('are not found in what is no JSON', () => {
    const noise = { dir: 'server', raw: '{' } as const;
    expect(mintedPaths([[noise], [noise]])).toEqual([]);
  });
});

it.each([
  ['', ''],
  ['/params/items/3/id', 'params.items.*.id'],
  ['/a~1b', 'a/b'],
])('the pattern of %j is %j', (pointer, pattern) => {
  expect(pathPattern(pointer)).toBe(pattern);
});

function frame(members: object) {
  return { dir: 'server', raw: JSON.stringify({ jsonrpc: '2.0', ...members }) } as const;
}
