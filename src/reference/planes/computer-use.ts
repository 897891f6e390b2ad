import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { query } from '../admission.js';
import type { Call } from '../call.js';
import { invalidParams } from '../errors.js';
import type { Host } from '../host.js';
import type { JsonObject } from '../json.js';
import type { Method } from '../method.js';

export const COMPUTER_USE_METHODS: readonly Method[] = [
  query('computerUseSettings/read', async ({ host, params }) =>
    shown(await stored(host), params['showBuiltIns'] === true),
  ),
  query('computerUseSettings/update', update),
];

/** The host's settings, kept in `computer-use.json` of its state directory. */
interface Settings {
  readonly screenshots: string;
  readonly computerControl: string;
  readonly blockedApps: readonly string[];
}

const UNTOUCHED: Settings = { screenshots: 'ask', computerControl: 'ask', blockedApps: [] };

/** Blocks that no settings can take away. */
const BUILT_IN = [
  { bundleId: 'com.example.passwords', locked: true },
  { bundleId: 'com.example.bank.', locked: true, prefix: true },
];

/** Settings of hosts without a disk. */
const inMemory = new WeakMap<Host, Settings>();

function update(call: Call): Promise<JsonObject> {
  return call.host.exclusive(async () => {
    const {
      blockApps = [],
      unblockApps = [],
      screenshots,
      computerControl,
    } = call.params as {
      blockApps?: readonly string[];
      unblockApps?: readonly string[];
      screenshots?: string;
      computerControl?: string;
    };
    const builtIn = [...blockApps, ...unblockApps].find(isBuiltIn);
    if (builtIn !== undefined) throw invalidParams(`${builtIn} is a built-in block`);
    const before = await stored(call.host);
    const blocked = [...new Set([...before.blockedApps, ...blockApps])].filter(
      (app) => !unblockApps.includes(app),
    );
    const after: Settings = {
      screenshots: screenshots ?? before.screenshots,
      computerControl: computerControl ?? before.computerControl,
      blockedApps: blocked,
    };
    await store(call.host, after);
    return shown(after, false);
  });
}

function isBuiltIn(app: string): boolean {
  return BUILT_IN.some(({ bundleId, prefix }) => (prefix ? app.startsWith(bundleId) : app === bundleId));
}

function shown({ screenshots, computerControl, blockedApps }: Settings, withBuiltIns: boolean): JsonObject {
  const own = blockedApps.map((bundleId) => ({ bundleId, locked: false }));
  return { screenshots, computerControl, blockedApps: withBuiltIns ? [...own, ...BUILT_IN] : own };
}

async function stored(host: Host): Promise<Settings> {
  if (host.isEphemeral) return inMemory.get(host) ?? UNTOUCHED;
  const text = await readFile(pathIn(host), 'utf8').catch(() => undefined);
  return text === undefined ? UNTOUCHED : (JSON.parse(text) as Settings);
}

/** The file is replaced whole, so that a reader never sees half of it. */
async function store(host: Host, settings: Settings): Promise<void> {
  inMemory.set(host, settings);
  if (host.isEphemeral) return;
  await writeFile(`${pathIn(host)}.draft`, JSON.stringify(settings));
  await rename(`${pathIn(host)}.draft`, pathIn(host));
}

function pathIn(host: Host): string {
  return join(host.options.stateDir, 'computer-use.json');
}
