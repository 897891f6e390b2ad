import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { StreamChecker } from '../src/checks/stream-checker.js';
import { readConfig } from '../src/cli/config.js';
import { parseReport } from '../src/report/read-report.js';
import type { Bundle } from '../src/schema/bundle.js';
import { bundledSchemaPath, loadBundle, parseBundle } from '../src/schema/load-bundle.js';
import { loadScenario } from '../src/transcript/load-scenario.js';
import { parseLine } from '../src/transcript/parse-line.js';
import { decodeServerFrame } from '../src/wire/decode.js';
import { LineSplitter } from '../src/wire/line-splitter.js';
import { mutated, type Random } from './mutate.js';

/** Something that reads what others wrote. */
interface Reader {
  readonly name: string;
  /** One in so many inputs is for it. */
  readonly every: number;
  readonly sound: readonly Buffer[];
  read(bytes: Buffer, random: Random): unknown;
}

/** What a reader may throw: an error that tells a person what is wrong with the input. */
const EXPECTED: ReadonlySet<string> = new Set([
  'InputError',
  'BundleError',
  'UsageError',
  'ReportInputError',
]);

/**
 * Gives damaged inputs to every reader of foreign bytes. Each must be read or be refused by an error of the input.
 * @throws Error that holds the input in base64 and the seed, at the first one that ends otherwise
 */
export async function fuzzReaders(
  inputs: number,
  random: Random,
  seed: number,
): Promise<Map<string, number>> {
  const folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  try {
    const readers = await readersIn(folder);
    const counts = new Map(readers.map(({ name }) => [name, 0]));
    for (let input = 1; input <= inputs; input += 1) {
      const reader = readers.find(({ every }) => input % every === 0);
      if (reader === undefined) continue;
      counts.set(reader.name, (counts.get(reader.name) ?? 0) + 1);
      await tryOn(reader, mutated(reader.sound, random), random, seed);
    }
    return counts;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function tryOn(reader: Reader, bytes: Buffer, random: Random, seed: number): Promise<void> {
  try {
    await reader.read(bytes, random);
  } catch (error) {
    if (error instanceof Error && EXPECTED.has(error.name) && error.message !== '') return;
    throw new Error(`${reader.name} fails on ${bytes.toString('base64')} (seed ${seed})`, { cause: error });
  }
}

async function readersIn(folder: string): Promise<readonly Reader[]> {
  const bundle = await loadBundle(bundledSchemaPath());
  const bundleBytes = readFileSync(bundledSchemaPath());
  const lines = LINES.map((line) => Buffer.from(line));
  return [
    {
      name: 'bundle',
      every: 1009,
      sound: [bundleBytes],
      read: (bytes) => parseBundle(bytes.toString(), 'bundle'),
    },
    {
      name: 'report',
      every: 211,
      sound: [Buffer.from(REPORT)],
      read: (bytes) => parseReport(bytes.toString(), 'report'),
    },
    {
      name: 'scenario',
      every: 29,
      sound: [Buffer.concat(lines)],
      read: (bytes) => readTranscriptIn(folder, bytes),
    },
    {
      name: 'manifest',
      every: 23,
      sound: [Buffer.from(MANIFEST)],
      read: (bytes) => readManifestIn(folder, bytes),
    },
    {
      name: 'config',
      every: 7,
      sound: [Buffer.from(CONFIG)],
      read: (bytes) => readConfig(bytes.toString(), 'config'),
    },
    { name: 'lines', every: 2, sound: [Buffer.concat(lines)], read: readLines },
    {
      name: 'frames',
      every: 1,
      sound: FRAMES.map((raw) => Buffer.from(raw)),
      read: (bytes) => observe(bundle, bytes),
    },
  ];
}

/** However the bytes are cut, the lines are the same. */
function readLines(bytes: Buffer, random: Random): void {
  const cut = new LineSplitter({ capBytes: 600 });
  const events = [];
  for (let from = 0; from < bytes.length; ) {
    const to = from + 1 + random(64);
    events.push(...cut.push(bytes.subarray(from, to)));
    from = to;
  }
  events.push(...cut.end());
  const whole = new LineSplitter({ capBytes: 600 });
  const expected = [...whole.push(bytes), ...whole.end()];
  if (JSON.stringify(events) !== JSON.stringify(expected))
    throw new RangeError('the lines depend on how the bytes were cut');
  for (const event of expected) {
    if (event.kind !== 'oversize') parseLine(event.bytes, { file: 'transcript', line: 1, byteOffset: 0 });
  }
}

function observe(bundle: Bundle, bytes: Buffer): void {
  const checker = new StreamChecker({ bundle, live: true, frameLimitBytes: 10_000, tolerant: false });
  const ask = decodeServerFrame('{"jsonrpc":"2.0","id":2,"method":"model/list"}');
  checker.observe({ dir: 'client', frame: ask, atMs: 0 });
  const frame = decodeServerFrame(bytes);
  void frame.exact;
  checker.observe({ dir: 'server', frame, atMs: 0 });
  checker.finish();
}

async function readTranscriptIn(folder: string, bytes: Buffer): Promise<void> {
  const file = join(folder, 'standing-alone.ndjson');
  await writeFile(file, bytes);
  await loadScenario(file);
}

async function readManifestIn(folder: string, bytes: Buffer): Promise<void> {
  await writeFile(join(folder, 'transcript.ndjson'), LINES.join(''));
  await writeFile(
    join(folder, 'manifest.json'),
    bytes.toString('latin1').replace('NAME', basename(folder)),
    'latin1',
  );
  await loadScenario(folder);
}

const FRAMES = [
  '{"jsonrpc":"2.0","id":2,"result":{"models":[{"modelId":"plain","cost":null,"contextLimit":1.50e3}],"profileId":null}}',
  '{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no such method","data":{"kind":"methodNotFound","retryable":false}}}',
  '{"jsonrpc":"2.0","method":"item/delta","params":{"sessionId":"s","viewCursor":"v:7","itemId":"i","delta":"\\ud83d\\ude00"},"emittedAtMs":1754590941100}',
  '{"jsonrpc":"2.0","id":7,"method":"approval/request","params":{"sessionId":"s","approvalId":"a","availableChoices":[]}}',
];

const LINES = [
  '{"dir":"client","raw":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"method\\":\\"initialize\\"}"}\n',
  '{"dir":"server","raw":"{\\"jsonrpc\\":\\"2.0\\",\\"id\\":1,\\"result\\":{}}","note":"kept"}\r\n',
  '\n',
  '{"dir":"control","op":"restart"}\n',
];

const MANIFEST = JSON.stringify({
  kind: 'mspTranscript',
  schemaVersion: 1,
  scenario: 'NAME',
  serverConfig: { frameLimitBytes: 10485760 },
  normalize: [],
  source: [{ lines: '1-2', cite: 'x' }],
  conformance: {
    title: 't',
    passes: ['duplicate'],
    requires: { transports: ['stdio'] },
    match: { ignore: ['/x/*'] },
  },
});

const CONFIG = `targets:
  mine: { command: [node, server.js], env: { A: b }, behaviours: { slow: count } }
defaults:
  timeout: 5000
  passes: none
`;

const REPORT = JSON.stringify({
  formatVersion: 1,
  tool: { name: 'msp-conformance', version: '0.1.0' },
  verdict: 'conformant',
  scenarios: [],
});
