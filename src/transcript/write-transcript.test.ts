import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readTranscript } from './read-transcript.js';
import type { Step } from './scenario.js';
import { TranscriptWriter, type UnplacedStep, writeTranscript } from './write-transcript.js';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  file = join(folder, 'transcript.ndjson');
});

afterEach(() => rm(folder, { recursive: true }));

describe('TranscriptWriter', () => {
  it('has each line on file when write returns', async () => {
    const writer = new TranscriptWriter(file);
    writer.write([{ dir: 'client', raw: '{}\r' }]);
    expect(await readFile(file, 'utf8')).toBe('{"dir":"client","raw":"{}\\r"}\n');
    writer.write([{ dir: 'control', op: 'crash', extra: { signal: 'SIGKILL' } }]);
    expect(await readFile(file, 'utf8')).toMatch(/\n{"dir":"control","op":"crash","signal":"SIGKILL"}\n$/);
    writer.close();
  });

  it('never touches an existing file', async () => {
    await writeFile(file, 'precious');
    expect(() => new TranscriptWriter(file)).toThrow('EEXIST');
    expect(await readFile(file, 'utf8')).toBe('precious');
  });
});

describe('writeTranscript', () => {
  it('writes what readTranscript reads back', async () => {
    const text = fc.string({ unit: 'binary' });
    const frame = fc.record({ dir: fc.constantFrom('client' as const, 'server' as const), raw: text });
    await fc.assert(
      fc.asyncProperty(fc.array(frame, { minLength: 1 }), async (steps) => {
        await writeTranscript(file, steps);
        expect(await readAll()).toEqual(steps.map((step, index) => ({ ...step, line: index + 1 })));
      }),
    );
  });

  it('preserves unknown members and their numbers when a transcript is rewritten', async () => {
    const content = '{"dir":"client","raw":"{}","at":18446744073709551615,"note":{"__proto__":[1.50]}}\n';
    await writeFile(file, content);
    await writeTranscript(file, await readAll());
    expect(await readFile(file, 'utf8')).toBe(content.replace('1.50', '1.5'));
  });

  it('leaves the old file and nothing else when the steps fail', async () => {
    await writeFile(file, 'old');
    const failing = async function* (): AsyncGenerator<UnplacedStep> {
      yield { dir: 'client', raw: '{}' };
      throw new Error('the source broke');
    };
    await expect(writeTranscript(file, failing())).rejects.toThrow('the source broke');
    expect(await readdir(folder)).toEqual(['transcript.ndjson']);
    expect(await readFile(file, 'utf8')).toBe('old');
  });
});

async function readAll(): Promise<Step[]> {
  const steps: Step[] = [];
  for await (const step of readTranscript(file)) {
    steps.push(step);
  }
  return steps;
}
