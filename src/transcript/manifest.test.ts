import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InputError } from './errors.js';
import { readManifest, writeManifest } from './manifest.js';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  file = join(folder, 'manifest.json');
});

afterEach(() => rm(folder, { recursive: true }));

describe('readManifest', () => {
  it('finds none in a folder without one', async () => {
    expect(await readManifest(folder)).toBeUndefined();
  });

  it('accepts every member that this program reads, a byte-order mark and unknown members', async () => {
    const manifest = {
      kind: 'mspTranscript',
      scenario: 'x',
      serverConfig: { frameLimitBytes: 4096, future: true },
      normalize: ['id'],
      seeds: { idSeed: 7 },
      source: [{ lines: '1,3', cite: 'somewhere' }],
      conformance: {
        title: 't',
        requires: {
          capabilities: [],
          durability: 'durable',
          transports: ['stdio'],
          provider: ['slow', 'echo'],
        },
        behaviours: { '7': 'fail' },
        passes: [],
        match: { ignore: ['params.x'] },
        future: 1,
      },
      future: [null],
    };
    await writeFile(file, `\ufeff${JSON.stringify(manifest)}`);
    expect(await readManifest(folder)).toEqual(manifest);
  });

  it.each<[string | Buffer, string]>([
    ['', '1:1: not JSON: expected a JSON value, found the end of the text'],
    ['{\n  "kind": x\n}', '2:11: not JSON: expected a JSON value, found "x"'],
    ['[]', '1:1: the manifest is an array; expected an object'],
    ['"text"', '1:1: the manifest is "text"; expected an object'],
    ['{"scenario": 5}', '1:14: "scenario" is 5; expected a string'],
    ['{"serverConfig": []}', '1:18: "serverConfig" is an array; expected an object'],
    [
      '{\n"serverConfig": {"frameLimitBytes": 0}}',
      '2:37: "serverConfig.frameLimitBytes" is 0; expected a positive integer',
    ],
    [
      '{"serverConfig": {"frameLimitBytes": 1.5}}',
      '1:38: "serverConfig.frameLimitBytes" is 1.5; expected a positive integer',
    ],
    ['{"normalize": ["id", 1]}', '1:22: "normalize.1" is 1; expected a string'],
    ['{"conformance": "yes"}', '1:17: "conformance" is "yes"; expected an object'],
    [
      '{"conformance": {"requires": {"durability": "eternal"}}}',
      '1:45: "conformance.requires.durability" is "eternal"; expected "durable" or "ephemeral"',
    ],
    [
      '{"conformance": {"requires": {"provider": ["slow", "quick"]}}}',
      '1:52: "conformance.requires.provider.1" is "quick"; expected "slow", "fail", "approval", "question" or "echo"',
    ],
    [
      '{"conformance": {"behaviours": {"first": "slow"}}}',
      '1:42: the name of "conformance.behaviours.first" is "first"; expected the line number of a client frame',
    ],
    ['{"conformance": {"passes": "all"}}', '1:28: "conformance.passes" is "all"; expected an array'],
    [
      '{"conformance": {"match": {"bind": {}}}}',
      '1:36: "conformance.match.bind" is an object; expected an array',
    ],
    ['{"a": 1,\n "a": 2}', '2:2: the member /a occurs twice; expected it once'],
    [
      Buffer.from([0x7b, 0x0a, 0x22, 0xff]),
      '2:2: byte 3 of the file is not valid UTF-8; expected UTF-8 text',
    ],
  ])('refuses %j', async (content, message) => {
    await writeFile(file, content);
    const error = await readManifest(folder).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toBe(`${file}:${message}`);
  });

  it('refuses a folder in place of the file', async () => {
    await mkdir(file);
    await expect(readManifest(folder)).rejects.toThrow(`${file}: is a folder; expected a file`);
  });
});

describe('writeManifest', () => {
  it('gives back what was read, unknown members and large numbers included', async () => {
    const text =
      '{\n  "kind": "mspTranscript",\n  "seeds": {\n    "idSeed": 18446744073709551615\n  },\n  "x": []\n}\n';
    await writeFile(file, text);
    const manifest = await readManifest(folder);
    await rm(file);
    await writeManifest(folder, manifest ?? {});
    expect(await readFile(file, 'utf8')).toBe(text);
  });
});
