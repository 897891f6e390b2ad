import type { Bundle, SchemaRoot } from '../schema/bundle.js';
import { compareExact } from '../wire/compare.js';
import type { Difference } from '../wire/difference.js';
import { type ExactJson, ExactNumber, type ExactObject } from '../wire/exact-json.js';
import { toPointer } from '../wire/pointer.js';
import type { Bindings } from './bindings.js';
import { matchEventList, pairElements } from './lists.js';
import {
  ABSENT_MEANS_NULL,
  DOCUMENTED_REASONS,
  idKind,
  type MemberRole,
  menuAt,
  PROMISED_OPTIONAL_MEMBERS,
} from './members.js';
import { overriddenRole, type PathOverrides } from './overrides.js';
import { roleAt } from './role-at.js';
import { childNode, rootNode, type SchemaNode } from './schema-node.js';

export interface MatchContext {
  readonly bundle: Bundle;
  readonly bindings: Bindings;
  readonly mode: 'conformant' | 'exact';
  /** Strings that the recorded client has sent so far: what a server can be expected to echo. */
  readonly sent: ReadonlySet<string>;
  /** What stands in the live exchange for a recorded string: bound value, entry of a menu, workspace path, behaviour text. */
  live(recorded: string, menu?: string): string;
  /** True when the agent's message in this recorded turn must repeat the input (behaviour `echo`). */
  isEchoTurn(recordedTurnId: string): boolean;
  /** True when a conformant server must show this event where the recording has it. */
  owes(method: string, params: ExactObject): boolean;
  /** Live cursors of the events that pages have shown so far. */
  readonly paged: Set<string>;
  /** Recorded turns that ran when the harness killed the server: how they end is the server's affair. */
  readonly diedTurns: ReadonlySet<string>;
  /** True on a host that lists no sessions, since none outlives it. */
  readonly isEphemeral: boolean;
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
  root: SchemaRoot | undefined,
  context: MatchContext,
  path: Path = [],
): Difference[] {
  const differences: Difference[] = [];
  new Matcher(context, differences).visitRoot(recorded, live, root, path);
  return differences;
}

export class Matcher {
  constructor(
    readonly context: MatchContext,
    readonly differences: Difference[],
  ) {}

  visitRoot(recorded: ExactJson, live: ExactJson, root: SchemaRoot | undefined, path: Path): void {
    const node = root && rootNode(this.context.bundle, root);
    this.visit(recorded, live, node, 'equal', path);
  }

  visit(
    recorded: ExactJson,
    live: ExactJson,
    node: SchemaNode | undefined,
    role: MemberRole,
    path: Path,
  ): void {
    const effective = overriddenRole(this.context.overrides, path) ?? role;
    if (effective === 'ignore') return;
    const relaxed = this.context.mode === 'conformant' || isOverride(this.context.overrides, path);
    const binds = relaxed || this.context.bindsMinted;
    if (binds && isBound(effective) && isName(recorded)) this.#bind(recorded, live, effective, path);
    else if (relaxed && effective === 'volatile') this.#sameType(recorded, live, path);
    else if (!relaxed || !this.#isFree(recorded, effective)) this.#walk(recorded, live, node, path);
  }

  add(kind: Difference['kind'], path: Path, expected: unknown, actual: unknown): void {
    this.differences.push({ path: toPointer(path), kind, expected, actual });
  }

  /** True where the server may say what it likes. */
  #isFree(recorded: ExactJson, role: MemberRole): boolean {
    if (role === 'own') return true;
    return role === 'echo' && !(typeof recorded === 'string' && this.context.sent.has(recorded));
  }

  #walk(recorded: ExactJson, live: ExactJson, node: SchemaNode | undefined, path: Path): void {
    if (Array.isArray(recorded) && Array.isArray(live)) this.#array(recorded, live, node, path);
    else if (isObject(recorded) && isObject(live)) this.#object(recorded, live, node, path);
    else if (typeof recorded === 'string' && typeof live === 'string') {
      const expected = isWord(node) ? recorded : this.context.live(recorded, menuAt(path));
      if (expected !== live) this.add('changed', path, expected, live);
    } else this.#scalar(recorded, live, path);
  }

  #bind(recorded: string | null, live: ExactJson, role: BoundRole, path: Path): void {
    if (role === 'position' && (recorded === null || live === null)) return;
    if (typeof recorded !== 'string' || typeof live !== 'string') {
      this.#scalar(recorded, live, path);
    } else if (role === 'offered') {
      this.context.bindings.offer(menuAt(path) ?? '', recorded, live);
    } else if (role === 'position') {
      this.context.bindings.place(recorded, live);
    } else {
      const conflict = this.context.bindings.pair(recorded, live, idKind(String(path.at(-1))));
      if (conflict !== undefined) this.add('changed', path, conflict.expected, live);
    }
  }

  #bindStage(recorded: ExactObject, live: ExactObject): void {
    const [from, to] = [recorded['sourceIndex'], live['sourceIndex']].map((index) =>
      index instanceof ExactNumber ? index.text : index,
    );
    if (to !== undefined) this.context.bindings.pairStage(recorded['approvalId'], from, String(to));
  }

  #sameType(recorded: ExactJson, live: ExactJson, path: Path): void {
    if (typeName(recorded) === typeName(live) || recorded === null || live === null) return;
    this.add('type', path, typeName(recorded), typeName(live));
  }

  #object(recorded: ExactObject, live: ExactObject, node: SchemaNode | undefined, path: Path): void {
    if (node?.definition === 'ApprovalRequirementRef') this.#bindStage(recorded, live);
    for (const name of Object.keys(recorded)) {
      const at = [...path, name];
      const child = node && childNode(this.context.bundle, node, name);
      if (Object.hasOwn(live, name)) {
        const role = roleAt(recorded, live, node, at, this.context);
        this.#member(recorded[name] as ExactJson, live, child, role, at);
      } else if (this.#mustBeThere(recorded, node, at)) {
        this.add('missing', at, recorded[name], undefined);
      }
    }
    for (const name of Object.keys(live)) {
      if (Object.hasOwn(recorded, name) || !this.#mustBeAbsent(live, node, [...path, name])) continue;
      this.add('extra', [...path, name], undefined, live[name]);
    }
  }

  #member(
    recorded: ExactJson,
    holder: ExactObject,
    node: SchemaNode | undefined,
    role: MemberRole,
    at: Path,
  ): void {
    const live = holder[String(at.at(-1))] as ExactJson;
    const isPage = Array.isArray(recorded) && Array.isArray(live) && this.#isEventList(node);
    if (isPage) matchEventList(this, recorded, live, at, typeof holder['nextCursor'] === 'string');
    else this.visit(recorded, live, node, role, at);
  }

  #isEventList(node: SchemaNode | undefined): boolean {
    if (this.context.mode === 'exact' || node === undefined) return false;
    return childNode(this.context.bundle, node, 0)?.definition === 'UnframedViewNotification';
  }

  #mustBeThere(recorded: ExactObject, node: SchemaNode | undefined, at: Path): boolean {
    if (overriddenRole(this.context.overrides, at) === 'ignore') return false;
    if (this.context.mode === 'exact' || node === undefined) return true;
    const name = String(at.at(-1));
    const member = `${node.definition}.${name}`;
    if (recorded[name] === null && ABSENT_MEANS_NULL.has(member)) return false;
    // Other kinds of errors need no reason, and may have one of their own making.
    if (member === 'ErrorData.reason' && recorded['kind'] !== 'commandRejected')
      return DOCUMENTED_REASONS.has(String(recorded[name]));
    if (member === 'TurnCompletedParams.error' && this.context.diedTurns.has(String(recorded['turnId'])))
      return false;
    return node.required.has(name) || PROMISED_OPTIONAL_MEMBERS.has(member);
  }

  #mustBeAbsent(live: ExactObject, node: SchemaNode | undefined, at: Path): boolean {
    if (overriddenRole(this.context.overrides, at) === 'ignore') return false;
    if (this.context.mode === 'exact') return true;
    const name = String(at.at(-1));
    return live[name] !== null && ABSENT_MEANS_NULL.has(`${node?.definition}.${name}`);
  }

  #array(recorded: ExactJson[], live: ExactJson[], node: SchemaNode | undefined, path: Path): void {
    const items = node && childNode(this.context.bundle, node, 0);
    if (this.context.mode === 'conformant') {
      const pairs = pairElements(items?.definition, recorded, live, this.context);
      if (pairs !== undefined) {
        for (const { recordedIndex, liveIndex } of pairs) {
          const at = [...path, liveIndex ?? recordedIndex];
          if (liveIndex === undefined) this.add('missing', at, recorded[recordedIndex], undefined);
          else
            this.visit(
              recorded[recordedIndex] as ExactJson,
              live[liveIndex] as ExactJson,
              items,
              'equal',
              at,
            );
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
    for (let index = shared; index < live.length; index++)
      this.add('extra', [...path, index], undefined, live[index]);
  }

  #scalar(recorded: ExactJson, live: ExactJson, path: Path): void {
    for (const difference of compareExact(recorded, live)) {
      this.differences.push({ ...difference, path: toPointer(path) + difference.path });
    }
  }
}

type BoundRole = 'minted' | 'position' | 'offered';

function isBound(role: MemberRole | 'ignore'): role is BoundRole {
  return role === 'minted' || role === 'position' || role === 'offered';
}

/** False for a filter or the like that has the name of an id and holds more than one. */
function isName(value: ExactJson): value is string | null {
  return typeof value === 'string' || value === null;
}

/** True for a string of a fixed vocabulary: whatever it is spelled like, it names nothing. */
function isWord(node: SchemaNode | undefined): boolean {
  return node?.schema.enum !== undefined || node?.schema.const !== undefined;
}

function isOverride(overrides: PathOverrides, path: Path): boolean {
  return overriddenRole(overrides, path) !== undefined;
}

function isObject(value: ExactJson): value is ExactObject {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}

function typeName(value: ExactJson): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return value instanceof ExactNumber ? 'number' : typeof value;
}
