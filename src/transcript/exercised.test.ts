import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { exercisedBy } from './exercised.js';

it('tells calls, notifications, server requests and error kinds apart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  try {
    const file = join(folder, 'transcript.ndjson');
    await writeFile(
      file,
      FRAMES.map(([dir, frame]) => JSON.stringify({ dir, raw: JSON.stringify(frame) })).join('\n'),
    );
    expect(await exercisedBy(file)).toEqual({
      methods: new Map([
        ['turn/start', { succeeds: true }],
        ['goal/edit', { succeeds: false }],
      ]),
      notifications: new Set(['initialized', 'turn/started']),
      requests: new Set(['approval/requested']),
      errorKinds: new Set(['commandRejected']),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

const FRAMES: readonly (readonly ['client' | 'server', object])[] = [
  ['client', { method: 'initialized', jsonrpc: '2.0' }],
  ['client', { jsonrpc: '2.0', id: 1, method: 'turn/start', params: {} }],
  ['client', { jsonrpc: '2.0', id: 2, method: 'goal/edit', params: {} }],
  ['server', { jsonrpc: '2.0', method: 'turn/started', params: {} }],
  ['server', { jsonrpc: '2.0', id: 1, method: 'approval/requested', params: {} }],
  // A receipt's id is of the server's own id space: it answers no call of the client.
  ['client', { jsonrpc: '2.0', id: 1, error: { code: -1, message: '', data: { kind: 'clientKind' } } }],
  ['server', { jsonrpc: '2.0', id: 1, result: {} }],
  ['server', { jsonrpc: '2.0', id: 2, error: { code: -1, message: '', data: { kind: 'commandRejected' } } }],
  ['server', { jsonrpc: '2.0', id: null, error: { code: -1, message: '', data: null } }],
];
