import { describe, expect, it } from 'vitest';
import { Bindings } from './bindings.js';

describe('bindings', () => {
  it('the first pairing holds', () => {
    const bindings = new Bindings();
    expect(bindings.pair('a', 'X')).toBeUndefined();
    expect(bindings.pair('a', 'X')).toBeUndefined();
    expect(bindings.pair('a', 'Y')).toEqual({ expected: 'X' });
    expect(bindings.pair('b', 'X')?.expected).toContain('stands for a');
    expect([
      bindings.liveOf('a'),
      bindings.liveOf('b'),
      bindings.recordedOf('X'),
      bindings.recordedOf('Y'),
    ]).toEqual(['X', undefined, 'a', undefined]);
  });

  it('an entry of a menu stands for another in that menu only, and may be offered again', () => {
    const bindings = new Bindings();
    bindings.offer('model', 'large', 'a');
    bindings.offer('model', 'small', 'a');
    bindings.offer('model', 'large', 'b');
    expect(bindings.liveOf('large', 'model')).toBe('b');
    expect(bindings.liveOf('small', 'model')).toBe('a');
    expect(bindings.liveOf('large')).toBeUndefined();
    expect(bindings.liveOf('large', 'choice')).toBeUndefined();
    expect(bindings.recordedOf('a')).toBeUndefined();
  });

  it('a minted value is found whatever menu is asked for', () => {
    const bindings = new Bindings();
    bindings.pair('a', 'X');
    expect(bindings.liveOf('a', 'choice')).toBe('X');
  });

  it('ids are one-to-one among those of their kind', () => {
    const bindings = new Bindings();
    expect(bindings.pair('item-1', 'X', 'itemId')).toBeUndefined();
    expect(bindings.pair('task-1', 'X', 'taskId')).toBeUndefined();
    expect(bindings.pair('item-2', 'X', 'itemId')?.expected).toContain('stands for item-1');
    expect(bindings.pair('both', 'Y', 'turnId')).toBeUndefined();
    expect(bindings.pair('both', 'Z', 'taskId')).toBeUndefined();
    expect(['turnId', 'taskId', 'itemId'].map((kind) => bindings.liveOf('both', undefined, kind))).toEqual([
      'Y',
      'Z',
      'Y',
    ]);
  });

  it('a position may be that of an event, and of another position', () => {
    const bindings = new Bindings();
    bindings.pair('v:7', 'X');
    bindings.place('v:7', 'Y');
    bindings.place('v:8', 'X');
    expect([bindings.liveOf('v:7'), bindings.liveOf('v:8'), bindings.pair('v:9', 'Y')]).toEqual([
      'X',
      'X',
      undefined,
    ]);
  });
});
