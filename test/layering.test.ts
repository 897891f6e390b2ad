import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const SRC = fileURLToPath(new URL('../src', import.meta.url));

/** The rooms that each room may know. Imports point towards `wire` and never back. */
const MAY_KNOW: Readonly<Record<string, readonly string[]>> = {
  wire: [],
  schema: ['wire'],
  transcript: ['wire'],
  // The harness and the server that it is tried on share no judgement.
  reference: ['wire', 'schema'],
  target: ['wire', 'transcript'],
  checks: ['wire', 'schema', 'transcript'],
  // Knows results, never sockets.
  report: ['wire', 'checks'],
  replay: ['wire', 'schema', 'transcript', 'target', 'checks'],
  idempotency: ['wire', 'schema', 'transcript', 'target', 'checks', 'replay'],
  mock: ['wire', 'transcript', 'target'],
  record: ['wire', 'schema', 'transcript', 'target', 'checks', 'replay', 'mock'],
  run: ['wire', 'schema', 'transcript', 'target', 'checks', 'replay', 'idempotency', 'report', 'reference'],
};

describe('the house', () => {
  it.each(Object.entries(MAY_KNOW))('%s knows %j', (room, known) => {
    const foreign = sourcesOf(room).flatMap((file) =>
      importsOf(file)
        .filter((imported) => imported !== room && !known.includes(imported))
        .map((imported) => `${file.slice(SRC.length + 1)} imports ${imported}`),
    );
    expect(foreign).toEqual([]);
  });
});

function sourcesOf(room: string): string[] {
  return readdirSync(join(SRC, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.includes('testing/'))
    .map((name) => join(SRC, room, name));
}

/** The rooms that a file imports from; a file directly under src counts as the room `index`. */
function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].map(([, path = '']) => {
    const [room = '', inner] = normalize(join(dirname(file), path))
      .slice(SRC.length + 1)
      .split('/');
    return inner === undefined ? 'index' : room;
  });
}
