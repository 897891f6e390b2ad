import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { decodeFrame } from '../wire/decode.js';
import { parseExact, stringifyExact } from '../wire/exact-json.js';
import { rewriteStrings } from '../wire/rewrite.js';
import { findScenarios } from './find-scenarios.js';
import { loadScenario } from './load-scenario.js';

const corpus = fileURLToPath(new URL('../../../shared/corpus', import.meta.url));
const paths = existsSync(corpus) ? await findScenarios([corpus]) : [];

describe.skipIf(paths.length === 0)('the golden corpus (skipped where ../shared/corpus is absent)', () => {
  it.each(paths)('%s loads, and every frame is one of the four shapes', async (path) => {
    const scenario = await loadScenario(path);
    const lines = (await readFile(scenario.transcriptPath, 'utf8')).trimEnd().split('\n');
    expect(scenario.steps.map(({ line }) => line)).toEqual(lines.map((_line, index) => index + 1));
    expect(scenario.manifest).toMatchObject({ kind: 'mspTranscript', scenario: scenario.id });
    for (const step of scenario.steps) {
      const raw = step.dir === 'control' ? '' : step.raw;
      const frame = decodeFrame(raw);
      expect(frame.message.kind).not.toBe('invalid');
      expect(frame.exact?.repeatedMembers).toEqual([]);
      expect(JSON.parse(stringifyExact(parseExact(raw).value))).toEqual(frame.value);
      expect(rewriteStrings(raw, (_path, value) => value)).toBe(raw);
    }
  });
});
