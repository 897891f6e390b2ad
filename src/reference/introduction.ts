import { readFileSync } from 'node:fs';
import type { Agreement } from './handshake.js';
import type { HostOptions } from './host.js';
import type { JsonObject } from './json.js';

/** Version of the frames' envelope. */
const ENVELOPE_VERSION = 1;

/** The result of `initialize`. */
export function introduction(agreement: Agreement, fingerprint: string, host: HostOptions): JsonObject {
  const version = packageVersion();
  return {
    serverInfo: { name: 'msp-reference', version },
    userAgent: `msp-reference/${version} (${process.platform}; ${process.arch})`,
    museHome: host.stateDir,
    platformFamily: process.platform === 'win32' ? 'windows' : 'unix',
    platformOs: PLATFORMS[process.platform] ?? 'linux',
    schema: { version: ENVELOPE_VERSION, fingerprint },
    grantedCapabilities: [...agreement.granted],
    experimentalApi: agreement.isExperimental,
    sessionDurability: host.store ? 'durable' : 'ephemeral',
  };
}

const PLATFORMS: Readonly<Record<string, string>> = { darwin: 'macos', win32: 'windows', linux: 'linux' };

let version: string | undefined;

/** The path is the same seen from `src/reference` and from `dist/reference`. */
function packageVersion(): string {
  version ??= (
    JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }
  ).version;
  return version;
}
