import type { ExactJson, ExactObject } from './exact-json.js';
import { ExactNumber } from './exact-number.js';

/**
 * The JSON text of a value, the counterpart of `parseExact`: an `ExactNumber` prints the digits it was read with, a
 * lone surrogate its escape. `indent` is the number of spaces for each level; 0 prints one line. Depth-safe.
 */
export function stringifyExact(value: ExactJson, indent = 0): string {
  const parts: string[] = [];
  const open: OpenContainer[] = [];
  const newLine = (): string => (indent === 0 ? '' : `\n${' '.repeat(indent * open.length)}`);
  const begin = (item: ExactJson): void => {
    if (!isContainer(item)) {
      parts.push(item instanceof ExactNumber ? item.text : JSON.stringify(item));
      return;
    }
    const names = Array.isArray(item) ? undefined : Object.keys(item);
    const size = names?.length ?? (item as ExactJson[]).length;
    if (size === 0) {
      parts.push(names === undefined ? '[]' : '{}');
      return;
    }
    parts.push(names === undefined ? '[' : '{');
    open.push({ item, names, size, next: 0 });
  };

  begin(value);
  for (let top = open.at(-1); top !== undefined; top = open.at(-1)) {
    if (top.next === top.size) {
      open.pop();
      parts.push(newLine(), top.names === undefined ? ']' : '}');
      continue;
    }
    parts.push(top.next === 0 ? '' : ',', newLine());
    const key = top.names?.[top.next];
    const item = key === undefined ? (top.item as ExactJson[])[top.next] : (top.item as ExactObject)[key];
    top.next += 1;
    if (key !== undefined) {
      parts.push(JSON.stringify(key), indent === 0 ? ':' : ': ');
    }
    begin(item as ExactJson);
  }
  return parts.join('');
}

interface OpenContainer {
  readonly item: ExactJson[] | ExactObject;
  /** Undefined for an array. */
  readonly names: readonly string[] | undefined;
  readonly size: number;
  next: number;
}

function isContainer(value: ExactJson): value is ExactJson[] | ExactObject {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}
