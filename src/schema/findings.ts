import { escapeSegment } from '../wire/pointer.js';
import { describeValue } from './describe-value.js';
import type { SchemaIssue, SchemaRule } from './outcome.js';

/** Issues found so far in one examination. */
export interface Findings {
  readonly violations: SchemaIssue[];
  readonly notes: SchemaIssue[];
}

/** Where the examination is: in the value, and in the bundle. */
export interface Place {
  readonly path: string;
  /** The place by name, for messages: `TurnInputPart.type`. */
  readonly name: string;
  /** The `$defs` name that the schema belongs to. */
  readonly definition?: string | undefined;
}

export function memberPlace(at: Place, member: string): Place {
  return { ...at, path: `${at.path}/${escapeSegment(member)}`, name: memberName(at, member) };
}

/** The definition names the member where there is one, so that messages stay short in deep values. */
export function memberName(at: Place, member: string): string {
  const shown = /^\w{1,60}$/.test(member) ? `.${member}` : `[${describeValue(member)}]`;
  return `${at.definition ?? at.name}${shown}`;
}

export function itemPlace(at: Place, index: number): Place {
  return { ...at, path: `${at.path}/${index}`, name: `${at.name}[${index}]` };
}

export function violate(found: Findings, at: Place, rule: SchemaRule, problem: string): void {
  found.violations.push({ path: at.path, rule, message: `${at.name}: ${problem}` });
}

export function note(found: Findings, at: Place, rule: SchemaRule, remark: string): void {
  found.notes.push({ path: at.path, rule, message: `${at.name}: ${remark}` });
}

/** A member and its type are often both marked: one note says it. */
export function noteExperimental(found: Findings, at: Place, descriptor: string): void {
  if (found.notes.some((issue) => issue.rule === 'experimental' && issue.path === at.path)) return;
  const message = `${at.name}: experimental, needs experimentalApi: true in the handshake`;
  found.notes.push({ path: at.path, rule: 'experimental', message, descriptor });
}
