import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const PROGRAM = join(ROOT, 'bin', 'msp-conformance.js');
const SCENARIOS = join(ROOT, 'scenarios');

/** What a client is free in: its request ids and commandIds are held one-to-one, its name and version are its own. */
const FREE = /^\/id$|^\/params\/(commandId|clientInfo\/(name|version|title))$/;

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
type Path = readonly (string | number)[];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('run against mock, one value changed in the copy of one of them', () => {
  const SEEDS = Array.from({ length: 4 }, (_, seed) => seed + 1);
  const CASES = (['stdio', 'unix'] as const).flatMap((transport) =>
    (['run', 'mock'] as const).flatMap((reader) =>
      (['client', 'server'] as const).flatMap((dir) =>
        SEEDS.map((seed) => ({ transport, reader, dir, seed })),
      ),
    ),
  );

  it.concurrent.each(CASES)('over $transport, a $dir frame as $reader reads it, $seed', async (chosen) => {
    const { transport, reader, dir, seed } = chosen;
    const random = randomOf(`${transport} ${reader} ${dir} ${seed}`);
    const ids = (await readdir(SCENARIOS)).filter((name) => !name.includes('.'));
    const id = ids[random(ids.length)] ?? '';
    const place = await mkdtemp(join(folder, 'case-'));
    const copy = join(place, id);
    await cp(join(SCENARIOS, id), copy, { recursive: true });
    const path = await changeOneValue(join(copy, 'transcript.ndjson'), dir, random);
    if (path === undefined) return;
    const [recorded, played] = reader === 'run' ? [copy, join(SCENARIOS, id)] : [join(SCENARIOS, id), copy];
    const { code, said } = await run(transport, recorded, played);
    expect({ id, path, code, isNamed: said.includes(path) }).toEqual({ id, path, code: 1, isNamed: true });
  });

  it('whose last frame is of the client, is found over a socket, too', async () => {
    const copy = join(folder, 'handshake-order');
    await cp(join(SCENARIOS, 'handshake-order'), copy, { recursive: true });
    const file = join(copy, 'transcript.ndjson');
    const last = { dir: 'client', raw: '{"jsonrpc":"2.0","method":"last/word","params":{"is":1}}' };
    await writeFile(file, `${await readFile(file, 'utf8')}${JSON.stringify(last)}\n`);
    const other = join(folder, 'other', 'handshake-order');
    await cp(copy, other, { recursive: true });
    await writeFile(
      join(other, 'transcript.ndjson'),
      (await readFile(file, 'utf8')).replace('\\"is\\":1', '\\"is\\":2'),
    );
    expect((await run('unix', copy, copy)).code).toBe(0);
    const { code, said } = await run('unix', copy, other);
    expect([code, said]).toEqual([1, expect.stringContaining('/params/is')]);
  });
});

/** Changes one value of a frame and gives its path; undefined where the chosen frame holds nothing that is not free. */
async function changeOneValue(
  file: string,
  dir: string,
  random: (below: number) => number,
): Promise<string | undefined> {
  const steps = (await readFile(file, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const frames = steps.filter((step) => step.dir === dir && isJson(step.raw));
  const step = frames[random(frames.length)];
  const frame = JSON.parse(step.raw);
  const leaves = leavesOf(frame).filter((leaf) => dir === 'server' || !FREE.test(pointer(leaf)));
  const leaf = leaves[random(leaves.length)];
  if (leaf === undefined) return undefined;
  const holder = leaf.slice(0, -1).reduce((value, name) => value[name], frame);
  const name = leaf.at(-1) ?? '';
  holder[name] = otherThan(holder[name]);
  step.raw = JSON.stringify(frame);
  await writeFile(file, steps.map((one) => `${JSON.stringify(one)}\n`).join(''));
  return pointer(leaf);
}

function leavesOf(value: Json, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]));
}

function otherThan(value: Json): Json {
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (typeof value !== 'string') return 'something';
  return `${value.slice(0, -1)}${value.endsWith('0') ? '1' : '0'}`;
}

function pointer(path: Path): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

function isJson(raw: string): boolean {
  try {
    JSON.parse(raw);
    return true;
  } catch {
    return false;
  }
}

/** Whole numbers that look random and are the same for the same words. */
function randomOf(words: string): (below: number) => number {
  let state = [...words].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7);
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

async function run(transport: 'stdio' | 'unix', recorded: string, played: string) {
  const address = transport === 'unix' ? ['--unix', '{stateDir}/mock.sock'] : [];
  const listen = transport === 'unix' ? ['--listen', 'unix:{stateDir}/mock.sock'] : [];
  const options = ['--passes', 'none', '--match', 'exact', '--ids', 'recorded', '--scenarios', recorded];
  const mock = [process.execPath, PROGRAM, 'mock', played, ...listen];
  const words = [PROGRAM, 'run', ...options, '--reporter', 'json', ...address, '--', ...mock];
  const child = execFile(process.execPath, words);
  const [out, [code]] = await Promise.all([text(child.stdout as never), once(child, 'exit')]);
  // Paths stand in the report's differences, or within the mock's own report on its stderr.
  return { code, said: out.replaceAll('\\', '') };
}
