import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor } from './redactor.js';

const person = { home: '/srv/people/mara', name: 'mara' };

describe('by default', () => {
  it.each([
    'sk-abcdefghijklmnop1234',
    'sk-proj-abcdefghijklmnop1234_x-y',
    `ghp_${'a1'.repeat(18)}`,
    `github_pat_${'b2'.repeat(20)}`,
    'AKIAABCDEFGHIJKLMNOP',
    `AIza${'c'.repeat(35)}`,
    'xoxb-1234567890-abc',
    'eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.SflKxwRJSMeKKF2QT4',
    '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----',
  ])('takes the key out of the text around it: %s', (key) => {
    const { text, summary } = redact({ params: { text: `use ${key} now` } });
    expect(text).toBe('{"params":{"text":"use [redacted-1] now"}}');
    expect(summary).toEqual(['redacted 1 different tokens that look like keys']);
  });

  it.each([
    ['Authorization', 'Basic eA=='],
    ['api_key', 'short'],
    ['clientSecret', 'x'],
    ['password', 'hunter2'],
    ['_password', 'hunter2'],
  ])('takes out what stands in a member for secrets: %s', (name, secret) => {
    expect(redact({ params: { [name]: [secret] } }).text).toBe(`{"params":{"${name}":["[redacted-1]"]}}`);
  });

  it.each([
    ['Bearer abcdefghijkl.mnop', 'Bearer [redacted-1]'],
    ['first\nsk-abcdefghijklmnop1234', 'first\n[redacted-1]'],
    ['https://mara:geheim@example.org/x', 'https://mara:[redacted-1]@example.org/x'],
  ])('takes the secret part out of %s', (value, expected) => {
    expect(JSON.parse(redact({ text: value }).text).text).toBe(expected);
  });

  it.each([
    { usage: { inputTokens: 12, cachedTokens: 3 } },
    { token: 'design tokens' },
    { path: '/home/mara/x' },
    { id: '0198f0aa-1111-7000-8000-0000000000aa', cursor: 'v:0198f0aa-1111-7000-8000-0000000000aa:3' },
    { fingerprint: `sha256:${'a'.repeat(64)}` },
    { text: 'ask-me-anything-about-the-project, risk-assessments-are-due' },
  ])('leaves what is no secret: %j', (frame) => {
    expect(redact(frame)).toEqual({ text: JSON.stringify(frame), summary: [] });
  });
});

describe('what is asked for', () => {
  it.each([
    ['/params/a', '{"params":{"a":"[redacted-1]","b":"y"},"a":"z"}'],
    ['/*/b', '{"params":{"a":"x","b":"[redacted-1]"},"a":"z"}'],
    ['a', '{"params":{"a":"[redacted-1]","b":"y"},"a":"[redacted-2]"}'],
    ['/params', '{"params":{"a":"[redacted-1]","b":"[redacted-2]"},"a":"z"}'],
  ])('%s', (place, expected) => {
    expect(redact({ params: { a: 'x', b: 'y' }, a: 'z' }, { places: [place] }).text).toBe(expected);
  });

  it('is refused when it is no pointer', () => {
    expect(() => new Redactor({ places: ['/~2'], person: undefined })).toThrow(SyntaxError);
  });

  it.each([
    ['/srv/people/mara/.muse', '/home/user/.muse'],
    ['/home/jo/src and /Users/mara', '/home/user/src and /Users/user'],
    [String.raw`C:\Users\Jo\x`, String.raw`C:\Users\user\x`],
    ['mara, maracas, mara@host, x-mara', 'user, maracas, user@host, x-mara'],
  ])('homes and names of people: %s', (value, expected) => {
    expect(JSON.parse(redact({ v: value }, { person }).text).v).toBe(expected);
  });
});

it('keeps equal values equal, other bytes as they are, and does nothing twice', () => {
  const key = 'sk-abcdefghijklmnop1234';
  fc.assert(
    fc.property(
      fc.json(),
      fc.array(fc.constantFrom(key, `${key}x`, 'plain'), { maxLength: 6 }),
      (json, values) => {
        const redactor = new Redactor({ places: [], person });
        const raw = `{ "other" : ${json.replaceAll('mara', '')}, "values": ${JSON.stringify(values)}}`;
        const once = redactor.redact(raw);
        expect(redactor.redact(once)).toBe(once);
        const after: string[] = JSON.parse(once).values;
        values.forEach((a, i) => {
          values.forEach((b, j) => {
            expect(after[i] === after[j]).toBe(a === b);
          });
        });
        if (!values.some((value) => value !== 'plain')) expect(once).toBe(raw);
      },
    ),
  );
});

function redact(frame: object, rules: Partial<ConstructorParameters<typeof Redactor>[0]> = {}) {
  const redactor = new Redactor({ places: [], person: undefined, ...rules });
  return { text: redactor.redact(JSON.stringify(frame)), summary: redactor.summary() };
}
