import type { Bundle } from '../schema/bundle.js';
import type { Manifest } from '../transcript/scenario.js';
import { type CheckOutcome, Verdicts } from './rules/verdicts.js';

/** Holds a manifest to its transcript and to the bundle. `lines` is the number of lines of the transcript. */
export function checkManifest(manifest: Manifest, lines: number, bundle: Bundle): readonly CheckOutcome[] {
  const verdicts = new Verdicts(false);
  checkFingerprint(manifest, bundle, verdicts);
  checkSource(manifest, lines, verdicts);
  checkProvenance(manifest, verdicts);
  return verdicts.all();
}

function checkFingerprint({ fingerprint }: Manifest, bundle: Bundle, verdicts: Verdicts): void {
  if (fingerprint === undefined) return;
  verdicts.exercise('schema/fingerprint');
  if (fingerprint !== bundle.fingerprint)
    verdicts.report('schema/fingerprint', {
      message: `The transcript was made for ${fingerprint}; it is checked against ${bundle.fingerprint}.`,
    });
}

function checkSource({ source }: Manifest, lines: number, verdicts: Verdicts): void {
  if (source === undefined) return;
  verdicts.exercise('schema/manifest-source');
  for (const { lines: range } of source) {
    if (range === undefined) continue;
    const problem = problemOfRange(range, lines);
    if (problem !== undefined)
      verdicts.report('schema/manifest-source', {
        message: `source cites lines ${JSON.stringify(range)}: ${problem}.`,
      });
  }
}

/** Ranges are `7`, `7-9`, or several of them with commas between. */
function problemOfRange(range: string, lines: number): string | undefined {
  for (const part of range.split(',')) {
    const [, from, to] = /^\s*(\d+)(?:\s*[-–]\s*(\d+))?\s*$/.exec(part) ?? [];
    if (from === undefined) return 'expected a line number or a range such as 7-9';
    const [first, last] = [Number(from), Number(to ?? from)];
    if (first < 1 || last < first) return 'the range is empty';
    if (last > lines) return `the transcript has ${lines} lines`;
  }
  return undefined;
}

/** The published words, and the one that `record` writes. */
const PROVENANCES: ReadonlySet<string> = new Set([
  'hand-authored',
  'host-generated',
  'sdk-tolerance',
  'recorded',
]);

function checkProvenance({ provenance }: Manifest, verdicts: Verdicts): void {
  verdicts.exercise('schema/manifest-provenance');
  if (provenance !== undefined && PROVENANCES.has(provenance)) return;
  verdicts.report('schema/manifest-provenance', {
    message: `provenance is ${JSON.stringify(provenance ?? null)}; known are ${[...PROVENANCES].join(', ')}.`,
  });
}
