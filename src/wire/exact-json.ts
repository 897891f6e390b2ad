import { type ExactNumber, readNumber } from './exact-number.js';
import { type JsonVisitor, walkJson } from './json-walk.js';
import { toPointer } from './pointer.js';

export { canonicalDecimal, ExactNumber } from './exact-number.js';
export { JsonSyntaxError } from './json-walk.js';
export { isLosslessReading } from './lossless.js';
export { stringifyExact } from './stringify-exact.js';

/**
 * JSON without loss. A number is a plain `number` when its decimal value is the one that the double prints
 * (1, 1.0, 1e0, 0.1); any other number is an `ExactNumber` that keeps its digits.
 */
export type ExactJson = null | boolean | string | number | ExactNumber | ExactJson[] | ExactObject;

/** Read own members only: objects from `parseExact` have no prototype, those of a `Frame` may have one. */
export interface ExactObject {
  [name: string]: ExactJson;
}

export interface ExactDocument {
  readonly value: ExactJson;
  /**
   * JSON Pointers of members whose name occurs more than once in their object (the last value is in `value`),
   * each once, at most `REPEATED_MEMBERS_LIMIT` of them.
   */
  readonly repeatedMembers: readonly string[];
}

/** Enough for a person; a frame made of nothing else must not cost a pointer for each. */
export const REPEATED_MEMBERS_LIMIT = 20;

/**
 * Reads a JSON text without loss: numbers keep their value, lone surrogates survive, objects have no prototype
 * (so `__proto__` is an ordinary name), repeated member names are reported. `-0` reads as `0`.
 * Depth is bounded by memory only. Throws `JsonSyntaxError` exactly where `JSON.parse` throws.
 */
export function parseExact(text: string): ExactDocument {
  const builder = new ExactBuilder();
  walkJson(text, builder);
  return { value: builder.value, repeatedMembers: [...builder.repeated] };
}

class ExactBuilder implements JsonVisitor {
  value: ExactJson = null;
  readonly repeated = new Set<string>();
  private readonly containers: (ExactJson[] | ExactObject)[] = [];
  /** For each open object the name being read, for each open array undefined (its length tells the index). */
  private readonly names: (string | undefined)[] = [];

  openObject(): void {
    this.push(Object.create(null) as ExactObject);
  }

  openArray(): void {
    this.push([]);
  }

  closeObject(): void {
    this.pop();
  }

  closeArray(): void {
    this.pop();
  }

  name(name: string): void {
    this.names[this.names.length - 1] = name;
    const object = this.containers[this.containers.length - 1] as ExactObject;
    if (name in object && this.repeated.size < REPEATED_MEMBERS_LIMIT) {
      this.repeated.add(toPointer(this.path()));
    }
  }

  string(value: string): void {
    this.attach(value);
  }

  number(text: string): void {
    this.attach(readNumber(text));
  }

  literal(value: null | boolean): void {
    this.attach(value);
  }

  private push(container: ExactJson[] | ExactObject): void {
    this.attach(container);
    this.containers.push(container);
    this.names.push(undefined);
  }

  private pop(): void {
    this.containers.pop();
    this.names.pop();
  }

  private attach(value: ExactJson): void {
    const container = this.containers[this.containers.length - 1];
    if (container === undefined) {
      this.value = value;
    } else if (Array.isArray(container)) {
      container.push(value);
    } else {
      container[this.names[this.names.length - 1] as string] = value;
    }
  }

  private path(): (string | number)[] {
    return this.containers.map((container, depth) =>
      Array.isArray(container) ? container.length - 1 : (this.names[depth] as string),
    );
  }
}
