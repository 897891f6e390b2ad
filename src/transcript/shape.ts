import { describe, oneOf } from './describe.js';

/** What is wrong with a value, and at which path inside the document. */
export interface ShapeProblem {
  readonly path: readonly (string | number)[];
  readonly problem: string;
}

/** Judges the value at `path`; undefined when it has the shape. */
export type Shape = (value: unknown, path: readonly (string | number)[]) => ShapeProblem | undefined;

export const string: Shape = (value, path) =>
  typeof value === 'string' ? undefined : mismatch(path, value, 'a string');

export const boolean: Shape = (value, path) =>
  typeof value === 'boolean'
    ? undefined
    : { path, problem: `expected true or false, found ${describe(value)}` };

export const positiveInteger: Shape = (value, path) =>
  Number.isSafeInteger(value) && (value as number) > 0
    ? undefined
    : mismatch(path, value, 'a positive integer');

export function enumeration(names: readonly string[]): Shape {
  return (value, path) =>
    typeof value === 'string' && names.includes(value) ? undefined : mismatch(path, value, oneOf(names));
}

export function listOf(element: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) {
      return mismatch(path, value, 'an array');
    }
    return firstProblem(value.map((item, index) => () => element(item, [...path, index])));
  };
}

/** An object in which each of these members, where present, has its shape; other members are free. */
export function object(members: Readonly<Record<string, Shape>> = {}): Shape {
  return (value, path) => {
    if (!isObject(value)) {
      return mismatch(path, value, 'an object');
    }
    const present = Object.entries(members).filter(([name]) => Object.hasOwn(value, name));
    return firstProblem(
      present.map(
        ([name, shape]) =>
          () =>
            shape(value[name], [...path, name]),
      ),
    );
  };
}

/** An object whose every name matches `names` and whose every value has the shape. */
export function mapOf(names: RegExp, expectation: string, shape: Shape): Shape {
  return (value, path) => {
    if (!isObject(value)) {
      return mismatch(path, value, 'an object');
    }
    return firstProblem(
      Object.entries(value).map(([name, item]) => () => {
        const at = [...path, name];
        return names.test(name) ? shape(item, at) : mismatch(at, name, expectation, 'the name of');
      }),
    );
  };
}

function firstProblem(checks: readonly (() => ShapeProblem | undefined)[]): ShapeProblem | undefined {
  for (const check of checks) {
    const problem = check();
    if (problem !== undefined) {
      return problem;
    }
  }
  return undefined;
}

function mismatch(
  path: readonly (string | number)[],
  found: unknown,
  expected: string,
  subject = '',
): ShapeProblem {
  const name = path.length === 0 ? 'the manifest' : `"${path.join('.')}"`;
  return {
    path,
    problem: `${subject === '' ? '' : `${subject} `}${name} is ${describe(found)}; expected ${expected}`,
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
