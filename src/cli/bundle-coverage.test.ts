import { describe, expect, it } from 'vitest';
import { bundledSchemaPath, loadBundle } from '../schema/load-bundle.js';
import type { Exercised } from '../transcript/exercised.js';
import { bundleCoverage, type ExercisedScenario } from './bundle-coverage.js';
import { coverageText } from './coverage-text.js';

const bundle = await loadBundle(bundledSchemaPath());
const coverage = bundleCoverage(bundle, [
  scenario('one', ['duplicate'], { methods: new Map([['turn/start', { succeeds: true }]]) }),
  scenario('two', ['conflict'], {
    methods: new Map([
      ['turn/start', { succeeds: false }],
      ['goal/edit', { succeeds: false }],
      ['view/page', { succeeds: true }],
    ]),
    notifications: new Set(['turn/started', 'unknown/thing']),
    errorKinds: new Set(['commandRejected']),
  }),
  scenario('three', undefined, { methods: new Map([['goal/edit', { succeeds: false }]]) }),
]);

describe('the coverage of a bundle', () => {
  const method = (wanted: string) => coverage.methods.find(({ name }) => name === wanted);

  it('names the scenarios of each method, those where it succeeds, and the passes that a command gets', () => {
    expect(method('turn/start')).toMatchObject({
      scenarios: ['one', 'two'],
      succeedsIn: ['one'],
      passes: ['duplicate', 'conflict'],
    });
    expect(method('goal/edit')).toMatchObject({ succeedsIn: [], passes: 'all' });
    expect(method('view/page')).toMatchObject({ isCommand: false, passes: [] });
    expect(method('turn/cancel')).toMatchObject({ scenarios: [] });
  });

  it('holds every entry of the bundle once, and nothing else', () => {
    expect(coverage.notifications.map(({ name }) => name)).toEqual([...bundle.notifications.keys()]);
    const kinds = coverage.errorKinds.map(({ name }) => name);
    expect(new Set(kinds).size).toBe(kinds.length);
  });

  it('is told in words, with what is not covered', () => {
    const text = coverageText(coverage, 100);
    expect(text).toMatch(/^Methods: 3 of \d+ stable$/m);
    expect(text).toMatch(/^ {2}goal\/edit +2 scenarios +command, passes: all; only ever refused$/m);
    expect(text).toMatch(/not covered: [^.]*\bturn\/cancel\b/s);
  });
});

function scenario(
  id: string,
  passes: readonly string[] | undefined,
  exercised: Partial<Exercised>,
): ExercisedScenario {
  const manifest = passes === undefined ? undefined : { conformance: { passes } };
  const none = new Set<string>();
  return [
    { id, folder: id, transcriptPath: id, manifest },
    { methods: new Map(), notifications: none, requests: none, errorKinds: none, ...exercised },
  ];
}
