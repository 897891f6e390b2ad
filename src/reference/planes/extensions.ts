import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { query } from '../admission.js';
import type { Call } from '../call.js';
import { ProtocolError } from '../errors.js';
import type { JsonObject } from '../json.js';
import { findSession } from '../loading.js';
import type { Method } from '../method.js';

/** This server runs no hooks and no plugins; it lists what the files of its state directory say is installed. */
export const EXTENSION_METHODS: readonly Method[] = [
  query('hook/list', async (call) => ({ hooks: await installed(call, 'hooks.json') })),
  query('plugin/list', async (call) => ({ plugins: await installed(call, 'plugins.json') })),
];

async function installed(call: Call, file: string): Promise<readonly JsonObject[]> {
  await findSession(call.host, call.sessionId);
  if (call.host.isEphemeral) return [];
  const path = join(call.host.options.stateDir, file);
  const text = await readFile(path, 'utf8').catch(() => '[]');
  try {
    const rows: unknown = JSON.parse(text);
    if (Array.isArray(rows)) return rows as JsonObject[];
  } catch {
    // Said below.
  }
  throw new ProtocolError('internal', `${path}: expected a JSON list of rows`);
}
