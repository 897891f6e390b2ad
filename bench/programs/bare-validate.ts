import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { loadBundle } from '../../src/schema/load-bundle.js';
import { validatorFor } from '../../src/schema/validate.js';

/**
 * What any validation has to do at the least: reads a transcript's lines, parses them and the frames in them, and
 * holds the frames to the same compiled validators. Words: the bundle, then the transcript.
 */
const [bundlePath = '', transcript = ''] = process.argv.slice(2);
const validator = validatorFor(await loadBundle(bundlePath));
const asked = new Map<unknown, string>();
let frames = 0;

for await (const line of createInterface({ input: createReadStream(transcript) })) {
  const { dir, raw } = JSON.parse(line) as { dir: string; raw: string };
  const { violations } = outcomeOf(dir, JSON.parse(raw) as Frame);
  if (violations.length > 0) throw new Error(`frame ${frames}: ${violations[0]?.message}`);
  frames += 1;
}
console.log(`${frames} frames`);

interface Frame {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
}

function outcomeOf(dir: string, { id, method, params, result }: Frame) {
  if (method === undefined) {
    const answered = asked.get(id) ?? '';
    asked.delete(id);
    return validator.validateResult(answered, result);
  }
  if (id === undefined) return validator.validateNotification(method, params);
  if (dir === 'client') asked.set(id, method);
  return validator.validateParams(method, params);
}
