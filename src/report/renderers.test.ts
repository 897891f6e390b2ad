import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import {
  failedCheckOf,
  HOSTILE_STRINGS,
  hostileReport,
  mixedReport,
  reportOf,
  scenarioOf,
} from '../../test/report/sample-report.js';
import { renderGithub } from './github.js';
import { renderJson } from './json.js';
import { renderJunit } from './junit.js';
import { renderMarkdown } from './markdown.js';
import type { Report } from './model.js';
import { renderPretty } from './pretty.js';
import { reportSchema } from './read-report.js';
import type { Render } from './render.js';
import { renderTap } from './tap.js';

const PLAIN = { colorLevel: 0, width: 100, quiet: false, verbose: true } as const;

const RENDERERS: Readonly<Record<string, Render>> = {
  pretty: renderPretty,
  json: renderJson,
  junit: renderJunit,
  tap: renderTap,
  markdown: renderMarkdown,
  github: renderGithub,
};

const ALL = Object.entries(RENDERERS).flatMap(([name, render]) =>
  HOSTILE_STRINGS.map((text) => ({ name, render, text, shown: JSON.stringify(text) })),
);

describe('a hostile string', () => {
  it.each(ALL)('$shown stays text in $name', ({ name, render, text }) => {
    const output = render(hostileReport(text), PLAIN);
    expect(output).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/,
    );
    expect(output).not.toMatch(/\p{Surrogate}/u);
    expect(output).not.toMatch(/##(vso)?\[/);
    // A build runner obeys `::` at the start of a line, after any white space.
    if (name !== 'github') expect(output).not.toMatch(/^\s*::/m);
    // What stands in a code span is no mark-up; that it cannot leave the span is shown with the escapes.
    const outsideCode = output.replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
    if (name === 'markdown' || name === 'junit')
      expect(outsideCode).not.toMatch(/<\/?(script|style|img)|<!--|\]\]>/);
  });

  it.each(HOSTILE_STRINGS)('%j leaves the JUnit report well-formed', (text) => {
    expect(xmlProblem(renderJunit(hostileReport(text)))).toBeUndefined();
  });

  it.each(HOSTILE_STRINGS)('%j makes no workflow command of its own', (text) => {
    const lines = renderGithub(hostileReport(text)).trimEnd().split('\n');
    for (const line of lines) expect(line).toMatch(/^::(error|warning|notice) title=[^:,]*::[^\r]*$/);
    expect(lines).toHaveLength(5);
  });

  it.each(HOSTILE_STRINGS)('%j adds no point and no plan to TAP', (text) => {
    const output = renderTap(hostileReport(text));
    expect(output.match(/^(not )?ok /gm)).toHaveLength(5);
    expect(output.match(/^ {4}(not )?ok /gm)).toHaveLength(5);
    expect(output.match(/^ *1\.\./gm)).toHaveLength(3);
    expect(output).not.toMatch(/^ *Bail out!/m);
  });

  it.each(HOSTILE_STRINGS)('%j survives in JSON', (text) => {
    expect(JSON.parse(renderJson(hostileReport(text)))).toEqual(
      JSON.parse(JSON.stringify(hostileReport(text))),
    );
  });
});

describe('the JSON report', () => {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  formats.default(ajv);
  const validate = ajv.compile(reportSchema());

  it.each([
    ['with one of everything', mixedReport()],
    ['of nothing', reportOf([])],
    ['full of hostile strings', hostileReport('\u001b\u0000\ud800')],
  ])('%s keeps its schema', (_, report) => {
    validate(JSON.parse(renderJson(report)));
    expect(validate.errors).toBeNull();
  });
});

describe('the JUnit report', () => {
  it('counts what its readers count', () => {
    const xml = renderJunit(mixedReport());
    expect(xml).toContain('tests="8" failures="1" errors="1" skipped="2"');
    expect(xml.match(/<testcase /g)).toHaveLength(8);
    expect(xml.match(/<testsuite /g)).toHaveLength(4);
    expect(xml).toContain('<system-err>listening\nwarning: ledger index rebuilt\n</system-err>');
    expect(xmlProblem(xml)).toBeUndefined();
  });

  it('is green when every failure is expected, and red when an expectation is stale', () => {
    const report = hostileReport('x');
    const green = renderJunit({ ...reportOf(report.scenarios.slice(3)) });
    expect(green).toContain('failures="0"');
    expect(green).toContain('expected failure: x');
    const stale = reportOf([scenarioOf()], { staleExpectations: [{ match: 'a:b', reason: 'r' }] });
    expect(renderJunit(stale)).toContain('a:b is expected to fail, but no longer does');
  });
});

describe('the TAP report', () => {
  it('has a subtest per scenario and diagnostics that YAML reads', () => {
    const tap = renderTap(mixedReport());
    expect(tap.split('\n').slice(0, 2)).toEqual(['TAP version 14', '1..4']);
    expect(tap).toMatch(/^ok 3 - approval-round-trip # SKIP the target/m);
    expect(tap).toMatch(/^ {4}ok 5 - durability\/lease .* # SKIP no restart command$/m);
    const block = /^ {6}---\n([\s\S]*?)^ {6}\.\.\.$/m.exec(tap)?.[1] ?? '';
    expect(parseYaml(block)).toMatchObject({
      severity: 'must',
      requirement: 'MSP commands: exactly-once effect',
    });
  });
});

describe('the markdown report', () => {
  it('is short enough for a comment, however much failed', () => {
    const [, failed] = mixedReport().scenarios;
    const many = reportOf(
      Array.from({ length: 500 }, (_, i) => ({ ...scenarioOf(failed), id: `scenario-${i}` })),
    );
    const markdown = renderMarkdown(many);
    expect(markdown.length).toBeLessThan(60_000);
    expect(markdown).toContain('| 500 | `scenario-0`, `scenario-1`, `scenario-2`, … (500) |');
    expect(renderMarkdown(mixedReport())).toContain('❌ MSP conformance: nonconformant');
  });
});

describe('the order of failures', () => {
  const often = Array.from({ length: 30 }, () => failedCheckOf({ id: 'wire/often' }));
  const checks = [...often, failedCheckOf({ id: 'wire/once' })];
  const report = reportOf([scenarioOf({ status: 'failed', checks })]);

  it.each([
    ['github', renderGithub(report)],
    ['markdown', renderMarkdown(report)],
  ])('hides no rule behind another that was broken often, in %s', (_, text) => {
    expect(text).toContain('wire/once');
  });
});

describe('the GitHub report', () => {
  it('annotates up to what GitHub shows and says what is left out', () => {
    const [, failed] = mixedReport().scenarios;
    const many: Report = reportOf(
      Array.from({ length: 30 }, (_, i) => ({ ...scenarioOf(failed), id: `s${i}` })),
    );
    const lines = renderGithub(many).trimEnd().split('\n');
    expect(lines.filter((line) => line.startsWith('::error'))).toHaveLength(10);
    expect(lines).toContain('::error title=more::21 more: see the job summary');
  });
});

/** Why a text is no well-formed XML document of elements, attributes and text; undefined when it is. */
function xmlProblem(xml: string): string | undefined {
  const body = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  const open: string[] = [];
  const token =
    /<(\/?)([a-z-]+)((?: [a-z]+="(?:[^<&"]|&(?:amp|lt|gt|quot|#\d+);)*")*)(\/?)>|([^<&]|&(?:amp|lt|gt|quot|#\d+);)/gy;
  let end = 0;
  for (const [text, closing, name = '', , selfClosing] of body.matchAll(token)) {
    end += text.length;
    if (closing) {
      if (open.pop() !== name) return `</${name}> closes nothing`;
    } else if (name !== '' && !selfClosing) open.push(name);
  }
  if (end !== body.length) return `unreadable at ${JSON.stringify(body.slice(end, end + 40))}`;
  return open.length === 0 ? undefined : `<${open.join('>, <')}> stay open`;
}
