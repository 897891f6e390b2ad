import { createHash } from 'node:crypto';
import { isJsonObject } from './json-schema.js';

const FINGERPRINT = /^sha256:[0-9a-f]{64}$/;

/**
 * The fingerprint that a bundle's `manifest.json` states. The publisher takes it from its own model of the schema,
 * not from the bundle's bytes, so it cannot be computed from the file and has to be read from beside it.
 * Undefined when the text is absent or no such manifest.
 */
export function fingerprintInManifest(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    const manifest: unknown = JSON.parse(text);
    if (!isJsonObject(manifest) || typeof manifest['schemaVersion'] !== 'number') return undefined;
    const stated = manifest['fingerprint'];
    return typeof stated === 'string' && FINGERPRINT.test(stated) ? stated : undefined;
  } catch {
    return undefined;
  }
}

/** What stands in for the published fingerprint when no manifest states it: SHA-256 of the file's text. */
export function fingerprintOfText(text: string): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
