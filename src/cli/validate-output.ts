import { Chalk } from 'chalk';
import { checkDefinition } from '../checks/catalogue.js';
import type { CheckOutcome, Occurrence } from '../checks/stream-checker.js';
import { forJson, forTerminal } from '../report/escape.js';
import type { ColorLevel } from './color.js';
import type { ValidatedTranscript } from './validate-transcript.js';

/** One place in a transcript at which a check did not simply pass. */
export interface Problem {
  readonly file: string;
  readonly line: number | null;
  readonly check: string;
  /** `note` for what is conformant and worth telling. */
  readonly status: 'failed' | 'warned' | 'note';
  readonly message: string;
  readonly requirement: string;
  readonly differences: NonNullable<Occurrence['differences']>;
  /** Set on the last kept place of a check: how many more there are. */
  readonly more?: number;
}

/** The problems of one transcript, in the order of its lines; those without a line first. */
export function problemsOf({ file, outcomes, manifest }: ValidatedTranscript): readonly Problem[] {
  const ofManifest = (manifest?.outcomes ?? []).flatMap((outcome) =>
    problemsOfCheck(manifest?.file ?? file, outcome),
  );
  return [...ofManifest, ...outcomes.flatMap((outcome) => problemsOfCheck(file, outcome))].sort(
    (a, b) => (a.line ?? 0) - (b.line ?? 0),
  );
}

function problemsOfCheck(file: string, { id, occurrences, more }: CheckOutcome): readonly Problem[] {
  const { requirement } = checkDefinition(id);
  return occurrences.map(({ status, message, step, differences }, index) => ({
    file,
    line: step ?? null,
    check: id,
    status: status === 'failed' || status === 'warned' ? status : 'note',
    message,
    requirement,
    differences: differences ?? [],
    ...(more > 0 && index === occurrences.length - 1 ? { more } : {}),
  }));
}

/**
 * One JSON object: `formatVersion` 1, `verdict`, `totals`, `transcripts` and `problems`. The verdict is `incomplete`
 * when some transcript could not be read and no violation was found in the others.
 */
export function renderJson(
  results: readonly ValidatedTranscript[],
  problems: readonly Problem[],
  isReadable: boolean,
): string {
  const unspoilt = isReadable ? 'conformant' : 'incomplete';
  const verdict = problems.some(({ status }) => status === 'failed') ? 'nonconformant' : unspoilt;
  const transcripts = results.map(({ scenario, file, frames, outcomes, manifest }) => ({
    scenario,
    file,
    frames,
    checks: [...(manifest?.outcomes ?? []), ...outcomes].map(({ id, status }) => ({ id, status })),
  }));
  const report = { formatVersion: 1, verdict, totals: totalsOf(results, problems), transcripts, problems };
  return `${forJson(JSON.stringify(report, null, 2))}\n`;
}

/** `file:line: check: message` for each problem, the requirement below it, and a line of totals at the end. */
export function renderPretty(
  results: readonly ValidatedTranscript[],
  problems: readonly Problem[],
  isReadable: boolean,
  colorLevel: ColorLevel,
): string {
  const chalk = new Chalk({ level: colorLevel });
  const paint = { failed: chalk.red, warned: chalk.yellow, note: chalk.dim };
  const lines = problems.flatMap((problem) => {
    const { file, line, check, status, message, requirement, more } = problem;
    const place = line === null ? file : `${file}:${line}`;
    return [
      `${forTerminal(place)}: ${paint[status](WORDS[status])} ${chalk.bold(check)}: ${forTerminal(message)}`,
      ...(status === 'note' ? [] : [chalk.dim(`    ${requirement}`)]),
      ...(more === undefined ? [] : [chalk.dim(`    and ${more} more of ${check}`)]),
    ];
  });
  const { transcripts, frames, failed, warned, notes } = totalsOf(results, problems);
  const unspoilt = isReadable ? chalk.green('conformant') : chalk.yellow('incomplete');
  const verdict = failed === 0 ? unspoilt : chalk.red('not conformant');
  const total = `${transcripts} transcripts, ${frames} frames: ${failed} violations, ${warned} warnings, ${notes} notes: ${verdict}`;
  return `${[...lines, total].join('\n')}\n`;
}

const WORDS = { failed: 'violation', warned: 'warning', note: 'note' } as const;

function totalsOf(results: readonly ValidatedTranscript[], problems: readonly Problem[]) {
  const count = (wanted: Problem['status']) =>
    problems.filter(({ status }) => status === wanted).reduce((sum, { more = 0 }) => sum + 1 + more, 0);
  return {
    transcripts: results.length,
    frames: results.reduce((sum, { frames }) => sum + frames, 0),
    failed: count('failed'),
    warned: count('warned'),
    notes: count('note'),
  };
}
