#!/usr/bin/env node
// Records bundled scenarios from their scripts: `node scenarios/record.mjs [id...]`, by default all of them.
// What a person wrote in a manifest is kept; what the recording knows (behaviours by line, fingerprint, tool) is new.
import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));
const program = fileURLToPath(new URL('../bin/msp-conformance.js', import.meta.url));

const named = process.argv.slice(2);
const ids = named.length > 0 ? named : readdirSync(root).filter((id) => existsSync(join(root, id, 'script.jsonl')));
for (const id of ids) record(id, join(root, id));

function record(id, folder) {
  const out = mkdtempSync(join(tmpdir(), 'msp-conformance-'));
  try {
    const given = join(out, 'given.json');
    const manifest = handwritten(folder);
    writeFileSync(given, JSON.stringify(manifest));
    const script = join(folder, 'script.jsonl');
    const args = ['record', '--out', out, '--id', id, '--client', script, '--manifest', given];
    const limit = manifest.serverConfig?.frameLimitBytes;
    if (limit !== undefined) args.push('--env', `MSP_FRAME_LIMIT_BYTES=${limit}`);
    const { status } = spawnSync(process.execPath, [program, ...args], { stdio: ['ignore', 'inherit', 'inherit'] });
    if (status !== 0) {
      process.exitCode = 1;
      return;
    }
    for (const name of ['transcript.ndjson', 'manifest.json']) copyFileSync(join(out, id, name), join(folder, name));
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

/** The manifest without what stands in it only because of the last recording. */
function handwritten(folder) {
  const { fingerprint, tool, ...manifest } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const { behaviours, ...conformance } = manifest.conformance;
  return { ...manifest, conformance };
}
