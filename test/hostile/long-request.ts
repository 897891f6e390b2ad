import { cp, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { hostileScenario } from './command-line.js';

/** A scenario whose last request is longer than what a pipe holds. */
export async function longRequest(folder: string): Promise<string> {
  const scenario = join(folder, 'long-request');
  await cp(hostileScenario('models'), scenario, { recursive: true });
  await edit(join(scenario, 'manifest.json'), (text) =>
    text.replace('"models"', JSON.stringify(basename(scenario))),
  );
  await edit(join(scenario, 'transcript.ndjson'), (text) =>
    text.replace(
      'model/list\\"',
      `model/list\\",\\"trace\\":{\\"tracestate\\":\\"${'x'.repeat(1024 * 1024)}\\"}`,
    ),
  );
  return scenario;
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  await writeFile(file, change(await readFile(file, 'utf8')));
}
