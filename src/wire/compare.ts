import type { Difference } from './difference.js';
import type { ExactJson, ExactObject } from './exact-json.js';
import { canonicalDecimal, ExactNumber } from './exact-number.js';
import { escapeSegment } from './pointer.js';
import { presentable } from './presentable.js';

/** Differences beyond this many are not listed: nobody reads them, and a hostile pair of frames has millions. */
export const DIFFERENCES_LIMIT = 1000;

/** Below this depth two values are compared as wholes, so that paths stay short. */
const PATH_DEPTH_LIMIT = 256;

/**
 * Every place where two values differ, in the order of `expected`, extra members last within their object; at most
 * `limit` of them, and none only if the values are equal. Member order is free; arrays are compared index by index,
 * the surplus of the longer one as `missing` or `extra`; numbers are equal when their decimal values are.
 * Accepts readings of `parseExact` and of `JSON.parse`. Depth-safe.
 */
export function compareExact(
  expected: ExactJson,
  actual: ExactJson,
  limit: number = DIFFERENCES_LIMIT,
): Difference[] {
  const differences: Difference[] = [];
  const pairs: Pair[] = [{ path: '', depth: 0, expected, actual }];
  for (let pair = pairs.pop(); pair !== undefined && differences.length < limit; pair = pairs.pop()) {
    const difference = compareOne(pair);
    if (difference === 'nested') {
      const children = childrenOf(pair);
      for (let index = children.length - 1; index >= 0; index -= 1) {
        pairs.push(children[index] as Pair);
      }
    } else if (difference !== undefined) {
      differences.push(difference);
    }
  }
  return differences;
}

/** Whether two values are equal as `compareExact` sees it. */
export function exactEqual(a: ExactJson, b: ExactJson): boolean {
  const pairs: (ExactJson | undefined)[] = [a, b];
  while (pairs.length > 0) {
    const right = pairs.pop();
    const left = pairs.pop();
    if (left === right) {
      continue;
    }
    if (left === undefined || right === undefined || typeName(left) !== typeName(right)) {
      return false;
    }
    if (!isContainer(left) || !isContainer(right)) {
      if (!scalarsEqual(left, right)) {
        return false;
      }
      continue;
    }
    const keys = Object.keys(left);
    if (keys.length !== Object.keys(right).length) {
      return false;
    }
    for (const key of keys) {
      pairs.push(item(left, key), item(right, key));
    }
  }
  return true;
}

/** An absent side is undefined. */
interface Pair {
  readonly path: string;
  readonly depth: number;
  readonly expected: ExactJson | undefined;
  readonly actual: ExactJson | undefined;
}

function compareOne({ path, depth, expected, actual }: Pair): Difference | 'nested' | undefined {
  if (expected === actual) {
    return undefined;
  }
  if (actual === undefined) {
    return { path, kind: 'missing', expected: presentable(expected as ExactJson) };
  }
  if (expected === undefined) {
    return { path, kind: 'extra', actual: presentable(actual) };
  }
  const isSameType = typeName(expected) === typeName(actual);
  if (isSameType && isContainer(expected) && depth < PATH_DEPTH_LIMIT) {
    return 'nested';
  }
  if (isSameType && exactEqual(expected, actual)) {
    return undefined;
  }
  const kind = isSameType ? 'changed' : 'type';
  return { path, kind, expected: presentable(expected), actual: presentable(actual) };
}

function childrenOf({ path, depth, expected, actual }: Pair): Pair[] {
  const left = expected as Container;
  const right = actual as Container;
  const child = (key: string): Pair => ({
    path: `${path}/${escapeSegment(key)}`,
    depth: depth + 1,
    expected: item(left, key),
    actual: item(right, key),
  });
  const keys = Object.keys(left).filter((key) => item(left, key) !== item(right, key));
  const extraKeys = Object.keys(right).filter((key) => !Object.hasOwn(left, key));
  return [...keys, ...extraKeys].map(child);
}

type Container = ExactJson[] | ExactObject;

function item(container: Container, key: string): ExactJson | undefined {
  return Object.hasOwn(container, key) ? (container as ExactObject)[key] : undefined;
}

function isContainer(value: ExactJson): value is Container {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

function typeName(value: ExactJson): string {
  if (value === null) {
    return 'null';
  }
  if (value instanceof ExactNumber) {
    return 'number';
  }
  return Array.isArray(value) ? 'array' : typeof value;
}

function scalarsEqual(left: ExactJson, right: ExactJson): boolean {
  if (left instanceof ExactNumber || right instanceof ExactNumber) {
    return decimalOf(left) === decimalOf(right);
  }
  return left === right;
}

function decimalOf(value: ExactJson): string {
  return canonicalDecimal(value instanceof ExactNumber ? value.text : String(value));
}
