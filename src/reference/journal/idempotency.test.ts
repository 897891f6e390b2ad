import { describe, expect, it } from 'vitest';
import { Fingerprint, IdempotencyCollisionError, IdempotencyIndex } from './index.js';

const fingerprint = new Fingerprint('command', '{"a":1}');

describe('a fingerprint', () => {
  it.each<[string, string, boolean]>([
    ['command', '{"a":1}', true],
    ['event', '{"a":1}', false],
    ['command', '{"a":1.0}', false],
    ['command', '{"a": 1}', false],
  ])('of a command {"a":1} against a %s %s', (kind, body, isEqual) => {
    expect(fingerprint.equals(new Fingerprint(kind, body))).toBe(isEqual);
  });
});

describe('the index', () => {
  it('knows an id once it was observed', () => {
    const index = new IdempotencyIndex();
    expect(index.check('id', fingerprint)).toBeUndefined();
    expect(index.check('id', fingerprint)).toBeUndefined();
    index.observe('id', 7, fingerprint);
    expect(index.check('id', fingerprint)).toBe(7);
  });

  it('names the id and the original sequence of a collision', () => {
    const index = new IdempotencyIndex();
    index.observe('id', 7, fingerprint);
    const check = () => index.check('id', new Fingerprint('command', '{"a":2}'));
    expect(check).toThrow(IdempotencyCollisionError);
    expect(check).toThrow(expect.objectContaining({ id: 'id', seq: 7 }));
  });

  it('keeps what is staged above it out until that is absorbed', () => {
    const durable = new IdempotencyIndex();
    const staged = new IdempotencyIndex(durable);
    durable.observe('old', 1, fingerprint);
    staged.observe('new', 2, fingerprint);
    expect([staged.lookup('old')?.sequence, durable.lookup('new')]).toEqual([1, undefined]);
    durable.absorb(staged);
    expect(durable.lookup('new')?.sequence).toBe(2);
  });
});
