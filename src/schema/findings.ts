import { escapeSegment } from '../wire/pointer.js';
import { describeValue } from './describe-value.js';
import type { SchemaIssue, SchemaRule } from './outcome.js';

/** Issues found so far in one examination. */
export interface Findings {
  readonly violations: SchemaIssue[];
  readonly notes: SchemaIssue[];
}

/**
 * Where the examination is: in the value, and in the bundle. A chain rather than a text, since most places are
 * passed through without anything to say about them.
 */
export interface Place {
  /** The place that this one is a member or an element of; absent at the value itself. */
  readonly within?: Place;
  /** The member's name, the element's index, or what the value itself is called in messages. */
  readonly segment: string | number;
  /** The `$defs` name that the schema belongs to. */
  readonly definition?: string | undefined;
}

export function placeWithin(within: Place, segment: string | number): Place {
  return { within, segment, definition: within.definition };
}

/** JSON Pointer into the value. */
export function pathOf({ within, segment }: Place): string {
  return within === undefined ? '' : `${pathOf(within)}/${escapeSegment(segment)}`;
}

/** `TurnInputPart.type`, `TurnStartParams.input[0]`: names begin at the innermost definition, so that they stay short. */
export function nameOf({ within, segment }: Place): string {
  if (within === undefined) return String(segment);
  if (typeof segment === 'number') return `${nameOf(within)}[${segment}]`;
  const shown = /^\w{1,60}$/.test(segment) ? `.${segment}` : `[${describeValue(segment)}]`;
  return `${beginsDefinition(within) ? within.definition : nameOf(within)}${shown}`;
}

function beginsDefinition(place: Place): boolean {
  return place.definition !== undefined && place.definition !== place.within?.definition;
}

export function violate(found: Findings, at: Place, rule: SchemaRule, problem: string): void {
  found.violations.push({ path: pathOf(at), rule, message: `${nameOf(at)}: ${problem}` });
}

export function note(found: Findings, at: Place, rule: SchemaRule, remark: string): void {
  found.notes.push({ path: pathOf(at), rule, message: `${nameOf(at)}: ${remark}` });
}

/** A member and its type are often both marked: one note says it. */
export function noteExperimental(found: Findings, at: Place, descriptor: string): void {
  const path = pathOf(at);
  if (found.notes.some((issue) => issue.rule === 'experimental' && issue.path === path)) return;
  const message = `${nameOf(at)}: experimental, needs experimentalApi: true in the handshake`;
  found.notes.push({ path, rule: 'experimental', message, descriptor });
}
