#!/usr/bin/env node
// Writes how long each scenario took into its manifest: `node scenarios/durations.mjs report.json`, the JSON report of a
// run of them all. Shards are dealt out by these durations; only their proportions matter.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));
const [reportFile = ''] = process.argv.slice(2);

for (const { id, status, durationMs } of JSON.parse(readFileSync(reportFile, 'utf8')).scenarios) {
  const file = join(root, id, 'manifest.json');
  if (status !== 'passed' || !existsSync(file)) continue;
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const rounded = Math.max(100, Math.round(durationMs / 100) * 100);
  const conformance = { ...manifest.conformance, durationMs: rounded };
  writeFileSync(file, `${JSON.stringify({ ...manifest, conformance }, null, 2)}\n`);
}
