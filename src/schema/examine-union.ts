import { describeChoices, describeValue } from './describe-value.js';
import { enumChoices } from './enum-choices.js';
import { type Examiner, examine } from './examine.js';
import { type Findings, note, type Place, pathOf, violate } from './findings.js';
import { type JsonSchema, referencedName } from './json-schema.js';
import type { SchemaIssue } from './outcome.js';
import { describeTypes } from './types.js';

/**
 * Reads a value against `anyOf` and `oneOf`. A value that fits no alternative is explained by the one that it
 * evidently means: the only one of its type, or the one whose fixed members it carries.
 */
export function examineUnion(
  by: Examiner,
  schema: JsonSchema,
  value: unknown,
  at: Place,
  found: Findings,
): void {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const alternatives = schema[keyword];
    if (alternatives === undefined) continue;
    const readings = alternatives.map((alternative) => readingOf(by, alternative, value, at));
    const fitting = readings.filter((reading) => reading.violations.length === 0);
    if (keyword === 'oneOf' && fitting.length > 1) {
      violate(found, at, 'other', `expected exactly one of the alternatives to fit, ${fitting.length} do`);
    }
    const [best] = fitting.sort((one, other) => one.notes.length - other.notes.length);
    if (best !== undefined) found.notes.push(...best.notes);
    else explainMisfit(by, schema, alternatives, readings, value, at, found);
  }
}

function readingOf(by: Examiner, alternative: JsonSchema, value: unknown, at: Place): Findings {
  const reading: Findings = { violations: [], notes: [] };
  examine(by, alternative, value, at, reading);
  return reading;
}

function explainMisfit(
  by: Examiner,
  schema: JsonSchema,
  alternatives: readonly JsonSchema[],
  readings: readonly Findings[],
  value: unknown,
  at: Place,
  found: Findings,
): void {
  const path = pathOf(at);
  const ofItsType = readings.filter(({ violations }) => !violations.some((issue) => isMismatch(issue, path)));
  const meant = ofItsType.filter(({ violations }) => !violations.some((issue) => isOtherTag(issue, path)));
  if (ofItsType.length > 0 && meant.length === 0 && schema['x-msp-openness'] === 'open') {
    const remark = `none of the known variants, found ${describeValue(value)}; the list may grow`;
    note(found, at, 'openEnum', remark);
    return;
  }
  const candidates = meant.length > 0 ? meant : ofItsType;
  const [closest] = candidates.sort((one, other) => one.violations.length - other.violations.length);
  if (closest !== undefined) {
    found.violations.push(...closest.violations);
    found.notes.push(...closest.notes);
    return;
  }
  const expected = [...new Set(alternatives.map((alternative) => describeAlternative(by, alternative)))];
  violate(found, at, 'type', `expected ${expected.join(' or ')}, found ${describeValue(value)}`);
}

/** The alternative is not for values like this one at all. */
function isMismatch(issue: SchemaIssue, path: string): boolean {
  return issue.path === path && (issue.rule === 'type' || issue.rule === 'const');
}

/** A member directly inside the value has the fixed value of another alternative. */
function isOtherTag(issue: SchemaIssue, path: string): boolean {
  const isDirectMember = issue.path.lastIndexOf('/') === path.length;
  return isDirectMember && (issue.rule === 'const' || issue.rule === 'other');
}

function describeAlternative(by: Examiner, alternative: JsonSchema): string {
  const name = referencedName(alternative);
  const schema = name === undefined ? alternative : (by.definitions.get(name) ?? {});
  const choices = enumChoices(schema);
  if (choices !== undefined) return describeChoices(choices.values);
  const types = schema.type === undefined ? 'a value' : describeTypes(schema.type);
  return name === undefined ? types : `${types} (${name})`;
}
