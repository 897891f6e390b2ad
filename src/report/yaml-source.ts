import { createRequire } from 'node:module';
import type { Document, Node } from 'yaml';

/** The library that reads YAML: much code, of which a run without a config file needs none, so loaded when used. */
export function yaml(): typeof import('yaml') {
  return createRequire(import.meta.url)('yaml') as typeof import('yaml');
}

/** A YAML or JSON file read with the places of its values. */
export interface YamlSource {
  readonly file: string;
  /** Keeps comments and layout; what `--update-expected-failures` edits. */
  readonly document: Document;
  readonly value: unknown;
  /** `file:line:column` of the value at a path, of its key with `key`, or of the nearest thing that exists. */
  at(path: readonly (string | number)[], what?: 'key' | 'value'): string;
}

/** Reads YAML 1.2, of which JSON is a part. Throws what `fail` makes of the place and the problem. */
export function readYaml(text: string, file: string, fail: (message: string) => Error): YamlSource {
  const lineCounter = new (yaml().LineCounter)();
  const document = yaml().parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: true });
  const place = (offset: number) => {
    const { line, col } = lineCounter.linePos(offset);
    return `${file}:${Math.max(1, line)}:${Math.max(1, col)}`;
  };
  const [problem] = document.errors;
  if (problem !== undefined) throw fail(`${place(problem.pos[0])}: ${problem.message}`);
  return {
    file,
    document,
    value: toPlain(document, (message) => fail(`${file}: ${message}`)),
    at: (path, what = 'value') => place(offsetOf(document, path, what)),
  };
}

function toPlain(document: Document, fail: (message: string) => Error): unknown {
  try {
    // The cap keeps a few aliases from growing into gigabytes.
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw fail((error as Error).message);
  }
}

function offsetOf(document: Document, path: readonly (string | number)[], what: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  path.forEach((name, i) => {
    const key = keyNode(node, name);
    node = yaml().isCollection(node) ? node.get(name, true) : undefined;
    const wanted = what === 'key' && i === path.length - 1 ? (startOf(key) ?? startOf(node)) : startOf(node);
    offset = wanted ?? offset;
  });
  return offset;
}

function keyNode(node: unknown, name: string | number): unknown {
  if (!yaml().isMap(node)) return undefined;
  return node.items.find(({ key }) => yaml().isScalar(key) && key.value === name)?.key;
}

function startOf(node: unknown): number | undefined {
  return (node as Node | null | undefined)?.range?.[0];
}
