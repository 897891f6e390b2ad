import type { Bundle } from '../schema/bundle.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { compareExact } from '../wire/compare.js';
import type { Difference } from '../wire/difference.js';
import { ExactNumber, type ExactJson, type ExactObject } from '../wire/exact-json.js';
import { toPointer } from '../wire/pointer.js';
import type { Bindings } from './bindings.js';
import { matchEventList, pairElements } from './lists.js';
import { DOCUMENTED_REASONS, memberRole, type MemberRole, PROMISED_OPTIONAL_MEMBERS } from './members.js';
import { overriddenRole, type PathOverrides } from './overrides.js';
import { childNode, resolveNode, type SchemaNode } from './schema-node.js';

export interface MatchContext {
  readonly bundle: Bundle;
  readonly bindings: Bindings;
  readonly mode: 'conformant' | 'exact';
  /** Strings that the recorded client has sent so far: what a server can be expected to echo. */
  readonly sent: ReadonlySet<string>;
  /** What stands in the live exchange for a recorded string: bound value, workspace path, behaviour text. */
  live(recorded: string): string;
  /** True when the agent's message in this recorded turn must repeat the input (behaviour `echo`). */
  isEchoTurn(recordedTurnId: string): boolean;
  readonly overrides: PathOverrides;
  /** False: a minted value must be the recorded one (a seeded host under recorded ids). */
  readonly bindsMinted: boolean;
}

export type Path = readonly (string | number)[];

/**
 * Compares a recorded value with the live one under the rules of the replay, and binds what the server minted.
 * Differences carry JSON Pointers that start with `path`; none means that the two are the same exchange.
 */
export function matchValue(
  recorded: ExactJson,
  live: ExactJson,
  schema: JsonSchema | undefined,
  context: MatchContext,
  path: Path = [],
): Difference[] {
  const differences: Difference[] = [];
  new Matcher(context, differences).visitSchema(recorded, live, schema, path);
  return differences;
}

export class Matcher {
  constructor(
    readonly context: MatchContext,
    readonly differences: Difference[],
  ) {}

  visitSchema(recorded: ExactJson, live: ExactJson, schema: JsonSchema | undefined, path: Path): void {
    const node = schema === undefined ? undefined : resolveNode(this.context.bundle, schema);
    this.visit(recorded, live, node, 'equal', path);
  }

  visit(recorded: ExactJson, live: ExactJson, node: SchemaNode | undefined, role: MemberRole, path: Path): void {
    const effective = overriddenRole(this.context.overrides, path) ?? role;
    if (effective === 'ignore') return;
    const relaxed = this.context.mode === 'conformant' || isOverride(this.context.overrides, path);
    const binds = relaxed || this.context.bindsMinted;
    if (binds && (effective === 'minted' || effective === 'offered')) return this.#bind(recorded, live, effective, path);
    if (relaxed && effective === 'own') return;
    if (relaxed && effective === 'volatile') return this.#sameType(recorded, live, path);
    if (Array.isArray(recorded) && Array.isArray(live)) return this.#array(recorded, live, node, path);
    if (isObject(recorded) && isObject(live)) return this.#object(recorded, live, node, path);
    if (typeof recorded === 'string' && typeof live === 'string') {
      if (relaxed && effective === 'echo' && !this.context.sent.has(recorded)) return;
      const expected = this.context.live(recorded);
      if (expected !== live) this.add('changed', path, expected, live);
      return;
    }
    this.#scalar(recorded, live, path);
  }

  add(kind: Difference['kind'], path: Path, expected: unknown, actual: unknown): void {
    this.differences.push({ path: toPointer(path), kind, expected, actual });
  }

  #bind(recorded: ExactJson, live: ExactJson, role: 'minted' | 'offered', path: Path): void {
    if (typeof recorded !== 'string' || typeof live !== 'string') {
      // A cursor at the end of a list, or an id where none is set: null on one side only is a difference for ids.
      if (role === 'minted') this.#scalar(recorded, live, path);
      return;
    }
    if (role === 'offered') return this.context.bindings.offer(recorded, live);
    const conflict = this.context.bindings.pair(recorded, live);
    if (conflict !== undefined) this.add('changed', path, conflict.expected, live);
  }

  #sameType(recorded: ExactJson, live: ExactJson, path: Path): void {
    if (typeName(recorded) === typeName(live) || recorded === null || live === null) return;
    this.add('type', path, typeName(recorded), typeName(live));
  }

  #object(recorded: ExactObject, live: ExactObject, node: SchemaNode | undefined, path: Path): void {
    for (const name of Object.keys(recorded)) {
      const at = [...path, name];
      const child = node && childNode(this.context.bundle, node, name);
      if (Object.hasOwn(live, name)) {
        this.visit(recorded[name] as ExactJson, live[name] as ExactJson, child, this.#role(recorded, node, name), at);
      } else if (this.#mustBeThere(node, name, at)) {
        this.add('missing', at, recorded[name], undefined);
      }
    }
    if (this.context.mode === 'conformant') return;
    for (const name of Object.keys(live)) {
      if (!Object.hasOwn(recorded, name) && overriddenRole(this.context.overrides, [...path, name]) !== 'ignore') {
        this.add('extra', [...path, name], undefined, live[name]);
      }
    }
  }

  #role(recorded: ExactObject, node: SchemaNode | undefined, name: string): MemberRole {
    const definition = node?.definition;
    if (definition === 'Item' && name === 'text') return this.#textRole(recorded);
    if (definition === 'ErrorData' && name === 'reason') {
      return DOCUMENTED_REASONS.has(String(recorded[name])) ? 'equal' : 'own';
    }
    return memberRole(definition, name);
  }

  #textRole(item: ExactObject): MemberRole {
    if (item['kind'] === 'userMessage') return 'echo';
    const isEcho = item['kind'] === 'agentMessage' && this.context.isEchoTurn(String(item['turnId']));
    return isEcho ? 'equal' : 'own';
  }

  #mustBeThere(node: SchemaNode | undefined, name: string, path: Path): boolean {
    if (overriddenRole(this.context.overrides, path) === 'ignore') return false;
    if (this.context.mode === 'exact') return true;
    if (node === undefined) return true;
    return node.required.has(name) || PROMISED_OPTIONAL_MEMBERS.has(`${node.definition}.${name}`);
  }

  #array(recorded: ExactJson[], live: ExactJson[], node: SchemaNode | undefined, path: Path): void {
    const items = node && childNode(this.context.bundle, node, 0);
    if (this.context.mode === 'conformant') {
      if (items?.definition === 'UnframedViewNotification') return matchEventList(this, recorded, live, path);
      const pairs = pairElements(items?.definition, recorded, live, this.context);
      if (pairs !== undefined) {
        for (const { recordedIndex, liveIndex } of pairs) {
          const at = [...path, liveIndex ?? recordedIndex];
          if (liveIndex === undefined) this.add('missing', at, recorded[recordedIndex], undefined);
          else this.visit(recorded[recordedIndex] as ExactJson, live[liveIndex] as ExactJson, items, 'equal', at);
        }
        return;
      }
    }
    const shared = Math.min(recorded.length, live.length);
    for (let index = 0; index < shared; index++) {
      this.visit(recorded[index] as ExactJson, live[index] as ExactJson, items, 'equal', [...path, index]);
    }
    for (let index = shared; index < recorded.length; index++) {
      this.add('missing', [...path, index], recorded[index], undefined);
    }
    for (let index = shared; index < live.length; index++) this.add('extra', [...path, index], undefined, live[index]);
  }

  #scalar(recorded: ExactJson, live: ExactJson, path: Path): void {
    for (const difference of compareExact(recorded, live)) {
      this.differences.push({ ...difference, path: toPointer(path) + difference.path });
    }
  }
}

function isOverride(overrides: PathOverrides, path: Path): boolean {
  return overriddenRole(overrides, path) !== undefined;
}

function isObject(value: ExactJson): value is ExactObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
}

function typeName(value: ExactJson): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return value instanceof ExactNumber ? 'number' : typeof value;
}
