import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { summarizeBundle } from './bundle-summary.js';
import { checkBundle } from './check-bundle.js';
import { bundledSchemaPath, loadBundle, parseBundle } from './load-bundle.js';

const fixture = readFileSync(new URL('fixtures/experimental.schema.json', import.meta.url), 'utf8');

// biome-ignore lint/suspicious/noExplicitAny: a test edits the document anywhere.
function problemsAfter(edit: (document: any) => void) {
  const document = JSON.parse(fixture);
  edit(document);
  return checkBundle(parseBundle(JSON.stringify(document), 'some.json'));
}

describe('checking a bundle', () => {
  it('finds nothing in a good one', () => {
    expect(problemsAfter(() => undefined)).toEqual([]);
  });

  it.each<[string, Parameters<typeof problemsAfter>[0], string, string]>([
    [
      'a code registered twice',
      (b) => b.errors.push({ code: -32011, kind: 'other' }),
      'repeatedCode',
      '/errors/3/code',
    ],
    [
      'a kind registered twice',
      (b) => b.errors.push({ code: -32098, kind: 'notFound' }),
      'repeatedKind',
      '/errors/3/kind',
    ],
    [
      'a reserved code in use',
      (b) => b.errors.push({ code: -32012, kind: 'x' }),
      'reservedCode',
      '/errors/3/code',
    ],
    [
      'params that are no object',
      (b) => Object.assign(b.$defs.LogParams, { type: 'array' }),
      'paramsNotAnObject',
      '/methods/log~1page/params',
    ],
    [
      'a result that is no object',
      (b) => Object.assign(b.$defs.StartResult, { type: 'string' }),
      'resultNotAnObject',
      '/methods/session~1start/result',
    ],
    [
      'a required member that is not described',
      (b) => b.$defs.StartResult.required.push('x'),
      'unlistedRequiredMember',
      '/$defs/StartResult/required',
    ],
    [
      'a value listed twice',
      (b) => b.$defs.Mode.oneOf[0].enum.push('plain'),
      'repeatedEnumValue',
      '/$defs/Mode/oneOf/0/enum',
    ],
    [
      'an experimental surface without a name',
      (b) => delete b.methods['log/page']['x-msp-descriptor'],
      'missingDescriptor',
      '/methods/log~1page',
    ],
    [
      'a definition without a use',
      (b) => Object.assign(b.$defs, { 'a/b': {} }),
      'unusedDefinition',
      '/$defs/a~1b',
    ],
    [
      'a kind that ErrorKind does not list',
      (b) => Object.assign(b.$defs, { ErrorKind: { enum: ['notFound'] } }),
      'unlistedKind',
      '/errors/0',
    ],
  ])('finds %s', (_, edit, rule, pointer) => {
    expect(problemsAfter(edit)).toContainEqual(expect.objectContaining({ rule, pointer }));
  });

  it('finds a member that is written twice', () => {
    const text = fixture.replace('"methods": {', '"methods": { "session/start": {},');
    expect(checkBundle(parseBundle(text, 'some.json'))).toMatchObject([
      { rule: 'repeatedMember', pointer: '/methods/session~1start', severity: 'error' },
    ]);
  });
});

describe('summing up a bundle', () => {
  it('counts what is stable and what is experimental', () => {
    const summary = summarizeBundle(parseBundle(fixture, 'some.json'));
    expect(summary).toMatchObject({
      methods: { stable: 1, experimental: 1 },
      notifications: { stable: 0, experimental: 1 },
      errors: { stable: 2, experimental: 1 },
      enums: { open: 1, closed: 1 },
      commands: ['session/start'],
      experimentalDescriptors: [
        ...['ErrorKind.worktreeBusy', 'Mode.dreaming', 'account/changed', 'log/page'],
        ...['session/start.budget', 'session/start.worktree'],
      ],
    });
  });

  it('knows the bundled schema', async () => {
    const summary = summarizeBundle(await loadBundle(bundledSchemaPath()));
    expect(summary.methods).toEqual({ stable: 57, experimental: 0 });
    expect(summary.experimentalDescriptors).toEqual(['turn/start.tokenBudget']);
    expect(summary.commands).toContain('turn/start');
    expect(summary.commands).not.toContain('view/page');
  });
});
