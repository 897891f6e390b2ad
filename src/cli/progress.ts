import { formatDuration } from '../report/duration.js';
import { forTerminal } from '../report/escape.js';
import type { ScenarioResult } from '../report/model.js';
import { type RunObserver, type RunPlan, silentObserver } from '../report/observer.js';
import { plural, STATUS_WORDS, shownStatus, wasBegun } from '../report/problems.js';

/** Where progress is shown. */
export interface ProgressScreen {
  readonly isTerminal: boolean;
  readonly columns: number;
  readonly write: (text: string) => void;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/** One line that is rewritten at a terminal, a line per finished scenario elsewhere, nothing with `--quiet`. */
export function progressOn(screen: ProgressScreen, quiet: boolean): RunObserver {
  if (quiet) return silentObserver;
  return screen.isTerminal ? liveLine(screen) : plainLines(screen);
}

/** Standard error, so that standard output stays the report's. In CI lines are not rewritten, even on a terminal. */
export function stderrScreen(env: Readonly<Record<string, string | undefined>>): ProgressScreen {
  const isDumb = env['CI'] !== undefined && env['CI'] !== '' && env['CI'] !== 'false';
  return {
    isTerminal: process.stderr.isTTY === true && !isDumb && env['TERM'] !== 'dumb',
    columns: process.stderr.columns ?? 80,
    write: (text) => void process.stderr.write(text),
    now: () => performance.now(),
  };
}

/** Shows each result as the report will judge it, not as it came. */
export function asJudged(
  observer: RunObserver,
  judge: (result: ScenarioResult) => ScenarioResult,
): RunObserver {
  return { ...observer, scenarioFinished: (result) => observer.scenarioFinished(judge(result)) };
}

/** What has happened so far. */
interface Tally {
  plan: RunPlan;
  startedAt: number;
  finished: number;
  failed: number;
  unbegun: number;
  readonly running: Map<string, string>;
}

function newTally(): Tally {
  return {
    plan: { scenarios: [], workers: 1 },
    startedAt: 0,
    finished: 0,
    failed: 0,
    unbegun: 0,
    running: new Map(),
  };
}

function plainLines({ write, now }: ProgressScreen): RunObserver {
  const tally = newTally();
  return {
    ...silentObserver,
    runStarted: (plan) => {
      tally.plan = plan;
      tally.startedAt = now();
      write(`${plural(plan.scenarios.length, 'scenario')}, ${plural(plan.workers, 'worker')}\n`);
    },
    runFinished: () => {
      if (tally.unbegun > 0) write(`${STATUS_WORDS.notApplicable.symbol} ${tally.unbegun} not run\n`);
    },
    scenarioFinished: (result) => {
      tally.finished += 1;
      // A server that does not start stops all scenarios at once.
      if (!wasBegun(result)) {
        tally.unbegun += 1;
        return;
      }
      const place = `${tally.finished}/${tally.plan.scenarios.length}`;
      const time = formatDuration(result.durationMs);
      write(
        `${STATUS_WORDS[shownStatus(result)].symbol} ${place} ${forTerminal(result.id)} ${outcome(result)}(${time})\n`,
      );
    },
  };
}

function outcome(result: ScenarioResult): string {
  const status = shownStatus(result);
  return status === 'passed' ? '' : `${STATUS_WORDS[status].words} `;
}

function liveLine(screen: ProgressScreen): RunObserver {
  const tally = newTally();
  const draw = () => screen.write(`\r${CLEAR}${lineOf(tally, screen).slice(0, screen.columns - 1)}`);
  return {
    runStarted: (plan) => {
      tally.plan = plan;
      tally.startedAt = screen.now();
      draw();
    },
    scenarioStarted: (id) => {
      tally.running.set(id, '');
      draw();
    },
    passStarted: (id, pass) => {
      tally.running.set(id, ` ${pass}`);
      draw();
    },
    scenarioFinished: ({ id, status }) => {
      tally.running.delete(id);
      tally.finished += 1;
      if (status === 'failed' || status === 'errored') tally.failed += 1;
      draw();
    },
    runFinished: () => screen.write(`\r${CLEAR}`),
  };
}

/** Erases from the cursor to the end of the line. */
const CLEAR = '\u001b[K';

function lineOf({ plan, startedAt, finished, failed, running }: Tally, { now }: ProgressScreen): string {
  const total = plan.scenarios.length;
  const elapsed = now() - startedAt;
  // Guessed from the average so far; the first scenarios would only mislead.
  const left =
    finished >= 3 && finished < total
      ? ` · about ${formatDuration((elapsed / finished) * (total - finished))} left`
      : '';
  const failures = failed === 0 ? '' : ` · ${failed} failed`;
  const current = [...running].map(([id, pass]) => `${forTerminal(id)}${pass}`).join(', ');
  return `${finished}/${total}${failures}${left}${current === '' ? '' : ` · ${current}`}`;
}
