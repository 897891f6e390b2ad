import { paramsOfLine } from '../replay/commands.js';
import type { LiveCommand } from '../replay/drive-context.js';
import { FREE_TEXT_MEMBERS } from '../replay/members.js';
import { childNode, resolveNode, type SchemaNode } from '../replay/schema-node.js';
import type { Bundle } from '../schema/bundle.js';
import { addMember, replaceValue } from '../wire/rewrite.js';

/** A command's line with another payload under the same commandId. Still valid, and naming only things that exist. */
export interface Mutation {
  /** What was changed, for people: `displayText added`. */
  readonly what: string;
  readonly line: string;
}

/** What a mutation may use: things of the run that a changed payload can name. */
export interface MutationMeans {
  readonly bundle: Bundle;
  /** A folder below the run's workspace, which exists. */
  readonly otherFolder: string;
}

type Path = readonly (string | number)[];

/**
 * The conflicting payloads of a command: one changed top-level member, one changed nested member, one optional
 * member added with a value that is not its default. None where the method has nothing that can be changed so (`goal/clear` has only its target).
 */
export function mutationsOf(command: LiveCommand, means: MutationMeans): Mutation[] {
  const root = means.bundle.paramsRoot(command.method);
  if (root === undefined) return [];
  const node = resolveNode(means.bundle, root.schema);
  const params = paramsOfLine(command.line);
  const changes = [...changesIn(params, node, ['params'], means)];
  const additions = [...additionsIn(params, node, ['params'], means)];
  const decided = [
    changes.find(({ path }) => path.length === 2),
    changes.find(({ path }) => path.length > 2),
    additions.find(({ path }) => path.length === 2),
    changes.some(({ path }) => path.length > 2) ? undefined : additions.find(({ path }) => path.length > 2),
  ].filter((edit) => edit !== undefined);
  return decided.map((edit) => ({ what: edit.what, line: edit.apply(command.line) }));
}

interface Edit {
  readonly path: Path;
  readonly what: string;
  apply(line: string): string;
}

function* changesIn(value: unknown, node: SchemaNode, path: Path, means: MutationMeans): Generator<Edit> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(name) : name;
    const child = childNode(means.bundle, node, step);
    if (child === undefined) continue;
    const at = [...path, step];
    const changed = typeof step === 'string' ? changedValue(step, inner, child, means, value) : undefined;
    if (changed !== undefined) {
      const text = JSON.stringify(changed);
      yield { path: at, what: `${dotted(at)} changed`, apply: (line) => replaceValue(line, at, text) };
    }
    yield* changesIn(inner, child, at, means);
  }
}

function changedValue(
  name: string,
  value: unknown,
  node: SchemaNode,
  means: MutationMeans,
  holder: object,
): unknown {
  if (name === 'type') return undefined;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return undefined;
  if (name === 'workspaceRoot') return otherRoot(holder, means);
  if (name === 'chunkBase64') return value.startsWith('A') ? `B${value.slice(1)}` : `A${value.slice(1)}`;
  const choices = node.schema.enum?.filter((choice) => choice !== value);
  if (choices !== undefined) return choices[0];
  return FREE_TEXT_MEMBERS.has(name) ? `${value} (changed)` : undefined;
}

function* additionsIn(value: unknown, node: SchemaNode, path: Path, means: MutationMeans): Generator<Edit> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) {
    for (const [name, schema] of Object.entries(node.schema.properties ?? {})) {
      if (Object.hasOwn(value, name) || schema['x-msp-stability'] === 'experimental') continue;
      const added = addedValue(name, resolveNode(means.bundle, schema), value, means);
      if (added === undefined) continue;
      const text = JSON.stringify(added);
      const at = [...path, name];
      yield { path: at, what: `${dotted(at)} added`, apply: (line) => addMember(line, path, name, text) };
    }
  }
  for (const [name, inner] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(name) : name;
    const child = childNode(means.bundle, node, step);
    if (child !== undefined) yield* additionsIn(inner, child, [...path, step], means);
  }
}

/** Members whose added value is no default, says nothing that a server could refuse, and fits where it is put. */
function addedValue(name: string, node: SchemaNode, holder: object, means: MutationMeans): unknown {
  if (name === 'workspaceRoot') return otherRoot(holder, means);
  if (name === 'displayLabel' && Object.hasOwn(holder, 'modelId')) return 'Another label';
  const isInputPart = Object.hasOwn(holder, 'type');
  if (isInputPart || (node.schema.enum ?? []).length > 0) return undefined;
  if (node.schema.type === 'boolean') return true;
  const isText = node.schema.type === 'string' || [node.schema.type].flat().includes('string');
  return isText && FREE_TEXT_MEMBERS.has(name) ? 'added by the harness' : undefined;
}

/** Beside `workspaceRoots` it must name the same first folder, so it cannot be changed alone. */
function otherRoot(holder: object, means: MutationMeans): string | undefined {
  return Object.hasOwn(holder, 'workspaceRoots') ? undefined : means.otherFolder;
}

function dotted(path: Path): string {
  return path.slice(1).join('.');
}
