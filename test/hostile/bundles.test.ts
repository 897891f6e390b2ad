import { readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { commandLine, hostileScenario, hostileServer, inFolder } from './command-line.js';
import { twoAtATime } from './gate.js';

const nested = (depth: number) => `${'{"allOf":['.repeat(depth)}{}${']}'.repeat(depth)}`;
const SOUND = readFileSync(fileURLToPath(new URL('../../schema/msp.schema.json', import.meta.url)), 'utf8');
/** The shipped bundle with definitions more. */
const bundle = (definitions: string) => SOUND.replace('"$defs": {', () => `"$defs": {${definitions},`);

describe.concurrent('a schema bundle that nothing can be checked against: exit 2, and nothing is started', () => {
  it.each([
    [
      'a reference that leads nowhere',
      bundle('"A":{"$ref":"#/$defs/Nowhere"}'),
      /"#\/\$defs\/Nowhere" leads to no definition/,
    ],
    [
      'a reference to the network',
      bundle('"A":{"$ref":"http://127.0.0.1:9/a.json"}'),
      /leads to no definition/,
    ],
    ['a reference to a file', bundle('"A":{"$ref":"file:///etc/passwd"}'), /leads to no definition/],
    ['references in a circle', bundle('"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}'), /A → B → A/],
    ['alternatives in a circle', bundle('"A":{"anyOf":[{"oneOf":[{"$ref":"#/$defs/A"}]}]}'), /A → A/],
    [
      'a pattern that may match for ever',
      bundle('"A":{"type":"string","pattern":"^(a+)+$"}'),
      /repeats without bound/,
    ],
    ['schemas 100,000 deep', bundle(`"A":${nested(100_000)}`), /nested more than \d+ deep/],
    ['brackets without end', '['.repeat(4_000_000), /nested more than \d+ deep/],
    ['nothing', '', /not JSON/],
  ] as const)('%s', (_, text, says) =>
    twoAtATime(() =>
      inFolder(async (folder) => {
        const file = join(folder, 'bundle.json');
        const kept = join(folder, 'kept');
        writeFileSync(file, text);
        const options = [
          '--schema',
          file,
          '--scenarios',
          hostileScenario('models'),
          '--out',
          join(folder, 'out'),
        ];
        const server = hostileServer('keeps-what-it-reads', kept);
        const { exitCode, stderr, memory } = await commandLine(['run', ...options, '--', ...server], folder);
        expect(stderr).toMatch(says);
        expect(stderr).toContain(file);
        expect(exitCode).toBe(2);
        expect(memory).toBeLessThan(400 * 1024 * 1024);
        const left = await readdir(folder);
        expect(left).not.toContain('kept');
        expect(left).not.toContain('out');
      }),
    ),
  );
});
