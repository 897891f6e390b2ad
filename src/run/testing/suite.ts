import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../../replay/testing/match-context.js';
import { HANDSHAKE, type Line, request, result } from '../../replay/testing/scenario.js';
import type { TargetSpec } from '../../target/spec.js';
import type { Manifest } from '../../transcript/scenario.js';
import type { RunSetup } from '../setup.js';

export const SMALL_SERVER = fileURLToPath(new URL('./server.mjs', import.meta.url));

export type Manner =
  | 'honest'
  | 'wrong'
  | 'wrong-every-other-life'
  | 'mute'
  | 'mute-at-first'
  | 'mute-later'
  | 'lingers'
  | 'lingers-at-first'
  | 'rude'
  | 'gone'
  | 'absent';

/** The small server with these manners; `file` counts its lives. */
export function target(manner: Manner, file = '', timeoutMs = 30_000): TargetSpec {
  const command =
    manner === 'absent' ? ['/nowhere/no-such-server'] : [process.execPath, SMALL_SERVER, manner, file];
  return {
    label: manner,
    command,
    address: { kind: 'stdio' },
    env: {},
    inheritEnv: false,
    behaviours: {},
    startTimeoutMs: 30_000,
    graceMs: 30_000,
    timeoutMs,
  };
}

export function setup(changes: Partial<RunSetup> = {}): RunSetup {
  return {
    target: target('honest'),
    bundle,
    passes: new Set(),
    asksForPasses: false,
    seed: 1,
    crashPoints: 8,
    ids: 'fresh',
    match: 'conformant',
    require: 'core',
    keep: false,
    only: [],
    skip: [],
    knownServers: new Map(),
    rerun: (scenario, check) => `run --only ${scenario}:${check}`,
    ...changes,
  };
}

/** A recording that greets and lists no sessions. */
export const LISTING: readonly Line[] = [
  ...HANDSHAKE,
  request(2, 'session/list'),
  result(2, { sessions: [], nextCursor: null }),
];

/** Writes a scenario's folder into another one and gives its path. */
export async function written(
  parent: string,
  id: string,
  lines: readonly Line[],
  manifest: Manifest = {},
): Promise<string> {
  const folder = join(parent, id);
  await mkdir(folder, { recursive: true });
  const rows = lines.map(([dir, content]) => {
    if (dir === 'control') return { dir, op: content };
    return { dir, raw: typeof content === 'string' ? content : JSON.stringify(content) };
  });
  await writeFile(join(folder, 'transcript.ndjson'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await writeFile(
    join(folder, 'manifest.json'),
    JSON.stringify({ kind: 'mspTranscript', scenario: id, ...manifest }),
  );
  return folder;
}
