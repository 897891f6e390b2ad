import { readFileSync } from 'node:fs';

export interface Tool {
  readonly name: string;
  readonly version: string;
}

/** What a recording says that it was made with. */
export function thisTool(): Tool {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const { name, version } = manifest as Tool;
  return { name, version };
}
