import { describe, expect, it } from 'vitest';
import { colorLevel } from './color.js';

describe('colour', () => {
  it.each([
    ['a terminal', { isTerminal: true, env: { TERM: 'xterm' } }, 1],
    ['a better terminal', { isTerminal: true, env: { TERM: 'xterm-256color' } }, 2],
    ['the best terminal', { isTerminal: true, env: { COLORTERM: 'truecolor' } }, 3],
    ['a dumb terminal', { isTerminal: true, env: { TERM: 'dumb' } }, 0],
    ['a pipe', { isTerminal: false, env: {} }, 0],
    ['NO_COLOR', { isTerminal: true, env: { NO_COLOR: '1' } }, 0],
    ['an empty NO_COLOR', { isTerminal: true, env: { NO_COLOR: '', TERM: 'xterm' } }, 1],
    ['FORCE_COLOR on a pipe', { isTerminal: false, env: { FORCE_COLOR: '1' } }, 1],
    ['FORCE_COLOR without a value', { isTerminal: false, env: { FORCE_COLOR: '' } }, 1],
    ['FORCE_COLOR=0', { isTerminal: true, env: { FORCE_COLOR: '0' } }, 0],
    ['FORCE_COLOR=3 over NO_COLOR', { isTerminal: false, env: { FORCE_COLOR: '3', NO_COLOR: '1' } }, 3],
    ['--no-color over FORCE_COLOR', { isTerminal: true, noColorOption: true, env: { FORCE_COLOR: '3' } }, 0],
  ])('on %s', (_, circumstances, level) => {
    expect(colorLevel({ noColorOption: false, ...circumstances })).toBe(level);
  });
});
