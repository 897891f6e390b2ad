// Writes reports/example: a run against the bundled server with one promise broken on purpose. `npm run docs:example`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PROGRAM = 'bin/msp-conformance.js';
const EXAMPLE = join('reports', 'example');
const SCENARIOS = ['goal-blank', 'goal-set-replayed', 'plane-usage', 'turn-plain'];
const SELECTION = [...SCENARIOS.flatMap((id) => ['--only', id]), '--passes', 'duplicate,conflict,restart'];
const SERVER = ['node', PROGRAM, 'serve', '--fault', 'conflict-accepted'];

const folder = mkdtempSync(join(tmpdir(), 'msp-example-'));
try {
  const file = join(folder, 'report.json');
  program(['run', ...SELECTION, '--seed', '7', '--quiet', '--reporter', `json=${file}`, '--', ...SERVER]);
  writeFileSync(file, withoutMachine(readFileSync(file, 'utf8')));
  program(['report', file, '--out', EXAMPLE, '--reporter', 'html']);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The server breaks a promise, so 1 is how these commands are to end. */
function program(words) {
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 1) throw new Error(`${words.join(' ')} ended with ${status}, expected 1:\n${stderr}`);
}

/** Where the run's own folders and the clone lay says nothing to a reader. */
function withoutMachine(text) {
  const runFolder = new RegExp(`${tmpdir()}/msp-conformance-\\w+`, 'g');
  return text.replaceAll(runFolder, '').replaceAll(ROOT, '');
}
