import { describe, expect, it } from 'vitest';
import { CATALOGUE, checkDefinition } from './catalogue.js';

const FAMILIES = [
  'wire',
  'schema',
  'handshake',
  'tolerance',
  'view',
  'turn',
  'replay',
  'idempotency',
  'durability',
  'process',
];

describe('the catalogue', () => {
  const definitions = [...CATALOGUE.values()];

  it('names every check once, in a known family', () => {
    for (const { id } of definitions) {
      expect(id).toMatch(/^[a-z]+\/[a-z0-9-]+$/);
      expect(FAMILIES).toContain(id.split('/')[0]);
    }
    expect(new Set(definitions.map(({ title }) => title)).size).toBe(definitions.length);
  });

  it('has a check in every family', () => {
    expect(new Set(definitions.map(({ id }) => id.split('/')[0]))).toEqual(new Set(FAMILIES));
  });

  it.each([...CATALOGUE])('%s says what is demanded, why, and how to see it', (_id, definition) => {
    for (const text of [
      definition.requirement,
      definition.explanation,
      definition.typicalMistake,
      definition.howToSee,
    ])
      expect(text).toMatch(/^\S.*[.]$/);
    expect(definition.source).not.toBe('');
    expect(definition.title).not.toMatch(/[.]$/);
  });

  it('refuses an id that it does not hold, so that a typo cannot pass unnoticed', () => {
    expect(() => checkDefinition('wire/no-such-check')).toThrow(/wire\/no-such-check/);
    expect(checkDefinition('wire/utf8').severity).toBe('must');
  });
});
