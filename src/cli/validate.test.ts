import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hello } from '../checks/rules/testing/crafted-frames.js';
import { type ValidateOptions, validateCommand } from './validate.js';

const SHARED = join(dirname(fileURLToPath(import.meta.url)), '../../../shared');
const CORPUS = join(SHARED, 'corpus');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function validate(path: string, options: ValidateOptions = {}) {
  let stdout = '';
  let stderr = '';
  const exitCode = await validateCommand([path], options, {
    stdout: (text) => {
      stdout += text;
    },
    stderr: (text) => {
      stderr += text;
    },
    colorLevel: 0,
  });
  return { exitCode, stdout, stderr };
}

const line = (dir: string, frame: unknown) =>
  JSON.stringify({ dir, raw: typeof frame === 'string' ? frame : JSON.stringify(frame) });
const HELLO = hello().map((act) => JSON.stringify(act));

async function scenario(lines: readonly string[], manifest?: unknown): Promise<string> {
  const path = join(folder, 'crafted');
  await mkdir(path);
  await writeFile(join(path, 'transcript.ndjson'), `${lines.join('\n')}\n`);
  if (manifest !== undefined) await writeFile(join(path, 'manifest.json'), JSON.stringify(manifest));
  return path;
}

describe('validate', () => {
  it('ends with 0 for a transcript without a violation', async () => {
    const { exitCode, stdout } = await validate(await scenario(HELLO));
    expect(stdout).toContain('0 violations');
    expect(exitCode).toBe(0);
  });

  it('ends with 1 and names file, line, check and requirement', async () => {
    const path = await scenario([...HELLO, line('server', { jsonrpc: '2.0', id: 9, result: null })]);
    const { exitCode, stdout } = await validate(path);
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(/transcript\.ndjson:4: violation wire\/result-is-object: .*expected an object/);
    expect(stdout).toMatch(/transcript\.ndjson:4: violation wire\/response-id/);
    expect(stdout).toContain('The result of a successful response is always an object');
  });

  it('ends with 2 for a line that is no step, and says which', async () => {
    const { exitCode, stderr } = await validate(await scenario([...HELLO, '{"dir":"sideways","raw":"{}"}']));
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/transcript\.ndjson:4:\d+: /);
  });

  it('takes the frame limit from the manifest', async () => {
    const path = await scenario(HELLO, { serverConfig: { frameLimitBytes: 100 } });
    expect((await validate(path)).stdout).toContain('wire/frame-limit');
  });

  it('warns of a stale fingerprint and of citations beyond the file; --strict makes them fail', async () => {
    const path = await scenario(HELLO, {
      provenance: 'hand-authored',
      fingerprint: `sha256:${'1'.repeat(64)}`,
      source: [{ lines: '1-3' }, { lines: '3-9' }],
    });
    const { exitCode, stdout } = await validate(path);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/manifest\.json: warning schema\/fingerprint/);
    expect(stdout).toMatch(/manifest\.json: warning schema\/manifest-source: .*"3-9".*has 3 lines/);
    expect((await validate(path, { strict: true })).exitCode).toBe(1);
  });

  it('gives notes for what an sdk-tolerance transcript shows', async () => {
    const path = await scenario([...HELLO, line('server', 'not a frame')], { provenance: 'sdk-tolerance' });
    const { exitCode, stdout } = await validate(path);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('note wire/stdout-only-frames');
  });

  it('begins a new connection at a restart line', async () => {
    const restart = JSON.stringify({ dir: 'control', op: 'restart' });
    expect((await validate(await scenario([...HELLO, restart, ...HELLO]))).exitCode).toBe(0);
  });

  it('prints one JSON object', async () => {
    const path = await scenario([...HELLO, line('server', 'log')]);
    const report = JSON.parse((await validate(path, { json: true })).stdout);
    expect(report).toMatchObject({ formatVersion: 1, verdict: 'nonconformant', totals: { failed: 1 } });
    expect(report.problems).toContainEqual(
      expect.objectContaining({ line: 4, check: 'wire/stdout-only-frames', status: 'failed' }),
    );
  });
});

const names = existsSync(CORPUS) ? readdirSync(CORPUS) : [];

describe.skipIf(names.length === 0)('validate on the published transcripts (needs ../shared/corpus)', () => {
  const schema = join(SHARED, 'msp/msp.schema.json');

  it.each(names)('%s shows no violation', async (name) => {
    const { exitCode, stdout } = await validate(join(CORPUS, name), { schema });
    expect(stdout).not.toContain('violation ');
    expect(exitCode).toBe(0);
  });

  it.each(names)('%s shows one when an answer is missing', async (name) => {
    const lines = readFileSync(join(CORPUS, name, 'transcript.ndjson'), 'utf8')
      .trim()
      .split('\n');
    const answered = lines.findLastIndex(
      (text) => /"dir": ?"server"/.test(text) && /\\"result\\"|\\"error\\"/.test(text),
    );
    const path = await scenario(lines.toSpliced(answered, 1));
    expect((await validate(path, { schema })).exitCode).toBe(1);
  });
});
