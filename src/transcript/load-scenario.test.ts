import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { behavioursOf } from './behaviours.js';
import { InputError } from './errors.js';
import { loadScenario } from './load-scenario.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
});

afterEach(() => rm(folder, { recursive: true }));

function client(method: string, id: number): string {
  return JSON.stringify({ dir: 'client', raw: JSON.stringify({ jsonrpc: '2.0', id, method }) });
}

const server = JSON.stringify({ dir: 'server', raw: '{"jsonrpc":"2.0","id":1,"result":{}}' });
const transcript = [client('initialize', 1), server, client('turn/start', 2), client('turn/start', 3)].join(
  '\n',
);

async function write(files: Readonly<Record<string, unknown>>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
}

describe('loadScenario', () => {
  it.each([
    ['its folder', 'sc-1', 'transcript.ndjson'],
    ['its folder, with a slash', 'sc-1/', 'transcript.jsonl'],
    ['its transcript', 'sc-1/transcript.ndjson', 'transcript.ndjson'],
  ])('takes %s', async (_name, path, transcriptName) => {
    await write({ [`sc-1/${transcriptName}`]: transcript, 'sc-1/manifest.json': { scenario: 'sc-1' } });
    const scenario = await loadScenario(join(folder, path));
    expect(scenario).toMatchObject({
      id: 'sc-1',
      folder: join(folder, 'sc-1'),
      transcriptPath: join(folder, 'sc-1', transcriptName),
      manifest: { scenario: 'sc-1' },
    });
    expect(scenario.steps.map(({ line }) => line)).toEqual([1, 2, 3, 4]);
  });

  it('takes a transcript without a manifest, and a file of another name that stands alone', async () => {
    await write({ 'bare/transcript.ndjson': transcript, 'bare/other.log': server });
    expect(await loadScenario(join(folder, 'bare'))).toMatchObject({ id: 'bare', manifest: undefined });
    expect(await loadScenario(join(folder, 'bare/other.log'))).toMatchObject({ id: 'other' });
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    ['a folder that is not there', {}, 'sc', 'sc: cannot be read: no such file or folder'],
    [
      'a folder without a transcript',
      { 'sc/manifest.json': {} },
      'sc',
      'sc: the folder has no transcript; expected transcript.ndjson or transcript.jsonl',
    ],
    [
      'two transcripts',
      { 'sc/transcript.ndjson': transcript, 'sc/transcript.jsonl': transcript },
      'sc',
      'sc: the folder has both transcript.ndjson and transcript.jsonl; expected one transcript',
    ],
    [
      'a manifest of another scenario',
      { 'sc/transcript.ndjson': transcript, 'sc/manifest.json': { scenario: 'other' } },
      'sc',
      'sc/manifest.json: "scenario" is "other" but the folder is "sc"; expected the same name',
    ],
    [
      'an id that is no safe file name',
      { '..sc/transcript.ndjson': transcript },
      '..sc',
      '..sc: the scenario id "..sc" is not usable; expected letters, digits, ".", "_" and "-", beginning with a letter or digit',
    ],
    [
      'a bad line',
      { 'sc/transcript.ndjson': `${server}\nno` },
      'sc',
      'sc/transcript.ndjson:2:1: not JSON: expected a JSON value, found "n"',
    ],
    [
      'behaviours of a line that is no client frame',
      {
        'sc/transcript.ndjson': transcript,
        'sc/manifest.json': { conformance: { behaviours: { '2': 'slow' } } },
      },
      'sc',
      'sc/manifest.json: "conformance.behaviours" names line 2; expected the line of a client frame',
    ],
    [
      'more provider behaviours than turns',
      {
        'sc/transcript.ndjson': transcript,
        'sc/manifest.json': { conformance: { requires: { provider: ['slow', 'slow', 'slow'] } } },
      },
      'sc',
      'sc/manifest.json: "conformance.requires.provider" names 3 behaviour(s) for 2 turn/start frame(s); expected at most one for each',
    ],
  ])('refuses %s', async (_name, files, path, message) => {
    await write(files);
    const error = await loadScenario(join(folder, path)).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toBe(join(folder, message));
  });

  it('refuses an empty folder', async () => {
    await mkdir(join(folder, 'sc'));
    await expect(loadScenario(join(folder, 'sc'))).rejects.toThrow('the folder is empty');
  });

  it.skipIf(process.getuid?.() === 0)('refuses what it may not read', async () => {
    await write({ 'sc/transcript.ndjson': transcript });
    await chmod(join(folder, 'sc/transcript.ndjson'), 0);
    await expect(loadScenario(join(folder, 'sc'))).rejects.toThrow('cannot be read: permission denied');
  });
});

describe('behavioursOf', () => {
  it.each([
    [undefined, []],
    [{}, []],
    [{ requires: { provider: 'slow' } }, [[3, 'slow']]],
    [
      { requires: { provider: ['slow', 'fail'] } },
      [
        [3, 'slow'],
        [4, 'fail'],
      ],
    ],
    [{ behaviours: { '4': 'echo' }, requires: { provider: 'slow' } }, [[4, 'echo']]],
    [{ behaviours: { '1': 'approval' } }, [[1, 'approval']]],
  ])('of %j', async (conformance, entries) => {
    await write({ 'sc/transcript.ndjson': transcript, 'sc/manifest.json': { conformance } });
    expect([...behavioursOf(await loadScenario(join(folder, 'sc')))]).toEqual(entries);
  });
});
