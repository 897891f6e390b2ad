import { readFileSync } from 'node:fs';

/** Name and version of this package, as reports and recordings state them. */
export function toolIdentity(): { readonly name: string; readonly version: string } {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const { name, version } = manifest as { readonly name: string; readonly version: string };
  return { name, version };
}
