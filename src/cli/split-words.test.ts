import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UsageError } from './errors.js';
import { splitWords } from './split-words.js';

describe('splitting a command without a shell', () => {
  it.each([
    ['systemctl restart muse', ['systemctl', 'restart', 'muse']],
    ['  a \t b\n', ['a', 'b']],
    [`say 'two words' "and two"`, ['say', 'two words', 'and two']],
    [`a'b'"c"d ''`, ['abcd', '']],
    [String.raw`a\ b 'c\d' "e\"\\\f"`, ['a b', 'c\\d', 'e"\\\\f']],
    ['echo $HOME `id` *;|', ['echo', '$HOME', '`id`', '*;|']],
  ])('%s', (text, words) => {
    expect(splitWords(text, '--restart-command')).toEqual(words);
  });

  it.each([`a 'b`, 'a "b', 'a \\', 'a"', ''])('refuses %j', (text) => {
    expect(() => splitWords(text, '--kill-command')).toThrow(UsageError);
    expect(() => splitWords(text, '--kill-command')).toThrow(/--kill-command/);
  });

  it('gives back any words that were put in single quotes', () => {
    const word = fc.string().map((text) => text.replaceAll("'", ''));
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const text = ['program', ...words.map((each) => `'${each}'`)].join(' ');
        expect(splitWords(text, '--kill-command')).toEqual(['program', ...words]);
      }),
    );
  });
});
