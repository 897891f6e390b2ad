import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOSTILE_STRINGS } from '../../test/report/sample-report.js';
import {
  forJson,
  forMarkdown,
  forMarkup,
  forTerminal,
  forWorkflowMessage,
  forWorkflowProperty,
  forXmlText,
  linesForTerminal,
  markdownCode,
} from './escape.js';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...HOSTILE_STRINGS, 'a', ' ', '\n', ':', '#', '[')).map((parts) => parts.join('')),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
);

/** What a terminal, a log or an editor would act on or hide. */
const ACTIVE = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|\p{Surrogate}/u;

describe('a string on a terminal', () => {
  it.each([
    ['a colour sequence', '\u001b[31mred', '\\x1b[31mred'],
    ['a C1 control', '\u009b2J', '\\x9b2J'],
    ['line ends and tabs', 'a\r\nb\tc', 'a\\r\\nb\\tc'],
    ['NUL', 'a\u0000b', 'a\\x00b'],
    ['a bidirectional override', 'a\u202eb', 'a\\u202eb'],
    ['a lone surrogate', 'a\ud800b', 'a\\ud800b'],
    ['a command of a build runner', '##[error]x ##vso[y]', '#\\x23[error]x #\\x23vso[y]'],
    ['ordinary text', 'Grüße, 世界 👋 ## title', 'Grüße, 世界 👋 ## title'],
  ])('shows %s', (_, text, shown) => {
    expect(forTerminal(text)).toBe(shown);
  });

  it('never lets an active character through', () => {
    fc.assert(fc.property(anyText, (text) => !ACTIVE.test(forTerminal(text))));
  });

  it('can keep lines apart', () => {
    expect(linesForTerminal('a\r\nb\n\u001bc')).toEqual(['a', 'b', '\\x1bc']);
  });
});

describe('a string in XML', () => {
  it('has only characters that XML 1.0 allows, and no mark-up', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const xml = forXmlText(text);
        expect(xml).toMatch(/^[\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u);
        expect(xml).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39|#58);)/);
      }),
    );
  });

  it('never begins a line with a workflow command', () => {
    expect(forXmlText('a\n  ::error::b')).toBe('a\n  &#58;:error::b');
  });

  it('keeps HTML from being built', () => {
    expect(forMarkup('</style><b a="\'">')).toBe('&lt;/style&gt;&lt;b a=&quot;&#39;&quot;&gt;');
  });
});

describe('a string in markdown', () => {
  it.each([
    ['HTML', '<img>', '&lt;img&gt;'],
    ['a link', '[x](y)', '\\[x\\](y)'],
    ['a mention', '@all #1', '@&#8203;all #&#8203;1'],
    ['an address', 'https://a.b www.c', 'https:&#8203;//a.b www&#8203;.c'],
    ['a list', '- a', '&#8203;- a'],
    ['a numbered list', '1. a', '&#8203;1. a'],
    ['a workflow command', '::error::x', '&#8203;::error::x'],
  ])('loses %s', (_, text, shown) => {
    expect(forMarkdown(text)).toBe(shown);
  });

  it('cannot leave its code span', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const span = markdownCode(text);
        const fence = /^`+/.exec(span)?.[0] ?? '';
        const inner = span.slice(fence.length, -fence.length);
        expect(span.endsWith(fence)).toBe(true);
        expect(inner.match(/`+/g) ?? []).not.toContain(fence);
        expect(inner).not.toMatch(/\n|(?<!\\)\|/);
      }),
    );
  });
});

describe('a string in a workflow command', () => {
  it('stays on its line and in its property', () => {
    expect(forWorkflowMessage('50% a\n::error::b\rc')).toBe('50%25 a%0A::error::b\\rc');
    expect(forWorkflowProperty('a,b=c::d\n')).toBe('a%2Cb=c%3A%3Ad\\n');
  });
});

describe('a string in JSON', () => {
  it('keeps its value and loses its power', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const json = forJson(JSON.stringify([text]));
        expect(json).not.toMatch(ACTIVE);
        expect(json).not.toMatch(/##[a-z]*\[/i);
        expect(JSON.parse(json)).toEqual([text]);
      }),
    );
  });
});
