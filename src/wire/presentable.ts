import type { ExactJson } from './exact-json.js';
import { ExactNumber } from './exact-number.js';

/** Nesting that a person can follow and that native printers survive. */
const DEPTH_LIMIT = 64;

/**
 * A value as it goes into a `Difference`: numbers that a double cannot hold as their text, and what is nested too
 * deeply to be printed as an ellipsis. Shares what needs no change.
 */
export function presentable(value: ExactJson, depth = 0): unknown {
  if (value instanceof ExactNumber) {
    return value.text;
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (depth === DEPTH_LIMIT) {
    return '...';
  }
  if (Array.isArray(value)) {
    return value.map((element) => presentable(element, depth + 1));
  }
  const copy: Record<string, unknown> = Object.create(null);
  for (const [name, member] of Object.entries(value)) {
    copy[name] = presentable(member, depth + 1);
  }
  return copy;
}
