import type { PassName } from '../checks/finding.js';
import type { ServerIdentity } from '../replay/stage.js';
import type { ScenarioResult } from '../report/model.js';
import type { RunObserver } from '../report/observer.js';
import { loadScenario } from '../transcript/load-scenario.js';
import type { Scenario } from '../transcript/scenario.js';
import { mergeRounds } from './rounds.js';
import { runScenario, type ScenarioOutcome } from './run-scenario.js';
import type { RunSetup } from './setup.js';
import { errored, notRun } from './unrun.js';

export interface SuiteOptions {
  readonly setup: RunSetup;
  /** Paths of the selected scenarios, in order. */
  readonly paths: readonly string[];
  readonly workers: number;
  readonly repeat: number;
  readonly bail: boolean;
  /** What the report will make of a result (expected failures, `--strict`); `bail` stops at what is left of it. */
  readonly judge?: (result: ScenarioResult) => ScenarioResult;
  readonly observer: RunObserver;
  /** Aborted by a signal: scenarios under way are given up. */
  readonly signal: AbortSignal;
}

export interface SuiteOutcome {
  readonly scenarios: readonly ScenarioResult[];
  readonly identity: ServerIdentity | undefined;
  readonly exercised: ReadonlySet<string>;
  /** Some scenarios were not reached, or not finished: a signal or `--bail` ended the run before. */
  readonly cutShort: boolean;
}

/** How much more patience a scenario gets, alone, before a missing answer counts against the server. */
const PATIENCE = 3;

/**
 * Runs the scenarios, several at a time and then the longest first. The first one runs alone: a server that cannot be started or spoken to is
 * not started again for all the others. A scenario in which a time limit decided something is run again at the end,
 * alone, with three times the limits.
 */
export async function runSuite(options: SuiteOptions): Promise<SuiteOutcome> {
  const suite = new Suite(options);
  return suite.run();
}

class Suite {
  readonly #results = new Map<string, ScenarioResult[]>();
  readonly #exercised = new Set<string>();
  #identity: ServerIdentity | undefined;
  readonly #begun = new Set<string>();
  #bailed = false;

  constructor(private readonly options: SuiteOptions) {}

  async run(): Promise<SuiteOutcome> {
    const { paths, repeat, workers, observer } = this.options;
    const scenarios: Scenario[] = [];
    for (const path of paths) scenarios.push(await loadScenario(path));
    observer.runStarted({ scenarios: scenarios.map(({ id }) => id), workers });
    try {
      for (let round = 0; round < repeat && !this.#isOver; round++) await this.#round(scenarios);
    } finally {
      observer.runFinished();
    }
    const results = scenarios.map((scenario) => {
      const rounds = this.#results.get(scenario.id);
      return rounds === undefined ? notRun(scenario, this.#whyNotRun(scenario)) : mergeRounds(rounds);
    });
    const cutShort = this.#results.size < scenarios.length;
    return { scenarios: results, identity: this.#identity, exercised: this.#exercised, cutShort };
  }

  #whyNotRun({ id }: Scenario): string {
    if (!this.options.signal.aborted) return 'not run: --bail ended the run at the first failure';
    return this.#begun.has(id)
      ? 'not finished: the run was ended while this scenario was under way'
      : 'not run: the run was ended before it came to this scenario';
  }

  get #isOver(): boolean {
    return this.#bailed || this.options.signal.aborted;
  }

  async #round(scenarios: readonly Scenario[]): Promise<void> {
    const [first, ...rest] = scenarios;
    if (first === undefined) return;
    const slow: Scenario[] = [];
    const opened = await this.#attempt(first, slow);
    const unreachable = opened === undefined ? undefined : await this.#unreachable(first, opened, slow);
    if (unreachable !== undefined) {
      for (const scenario of rest) this.#record(errored(scenario, unreachable));
      return;
    }
    const waiting = this.options.workers > 1 ? longestFirst(rest) : [...rest];
    const worker = async () => {
      for (let next = waiting.shift(); next !== undefined && !this.#isOver; next = waiting.shift())
        await this.#attempt(next, slow);
    };
    await Promise.all(Array.from({ length: this.options.workers }, worker));
    for (const scenario of slow) if (!this.#isOver) this.#keep(await this.#runOnce(scenario, PATIENCE), true);
  }

  /** Why no scenario can be run against this target, judged by the first one; undefined when it could be spoken to. */
  async #unreachable(
    first: Scenario,
    opened: ScenarioOutcome,
    slow: Scenario[],
  ): Promise<string | undefined> {
    let outcome = opened;
    if (opened.timedOut && opened.identity === undefined) {
      slow.length = 0;
      outcome = await this.#runOnce(first, PATIENCE);
      this.#keep(outcome, true);
    }
    const { result, identity, greets } = outcome;
    if (identity !== undefined) return undefined;
    if (result.status === 'errored') return `not run: ${result.reason}`;
    const spokeToNobody = greets && result.status === 'failed';
    return spokeToNobody
      ? 'not run: the server did not complete the handshake of the first scenario'
      : undefined;
  }

  async #attempt(scenario: Scenario, slow: Scenario[]): Promise<ScenarioOutcome | undefined> {
    const outcome = await this.#runOnce(scenario, 1);
    if (this.options.signal.aborted) return undefined;
    if (outcome.timedOut) slow.push(scenario);
    else this.#keep(outcome, false);
    return outcome;
  }

  async #runOnce(scenario: Scenario, patience: number): Promise<ScenarioOutcome> {
    const { observer, setup } = this.options;
    this.#begun.add(scenario.id);
    observer.scenarioStarted(scenario.id);
    const passStarted = (pass: PassName) => observer.passStarted(scenario.id, pass);
    const outcome = await runScenario(scenario, setup, passStarted, patience).catch((error) =>
      cutOff(scenario, error),
    );
    for (const method of outcome.exercised) this.#exercised.add(method);
    this.#identity ??= outcome.identity;
    return outcome;
  }

  /** A scenario that passed only with more patience keeps that as a note. */
  #keep(outcome: ScenarioOutcome, wasSlow: boolean): void {
    if (this.options.signal.aborted) return;
    const { result } = outcome;
    const isAnswered =
      !outcome.timedOut && result.checks.every(({ id, status }) => id !== STOPPED || status === 'passed');
    this.#record(wasSlow && isAnswered ? withSlowNote(result) : result);
  }

  #record(result: ScenarioResult): void {
    const rounds = this.#results.get(result.id) ?? [];
    this.#results.set(result.id, [...rounds, result]);
    this.options.observer.scenarioFinished(result);
    const { status } = this.options.judge?.(result) ?? result;
    if (this.options.bail && (status === 'failed' || status === 'errored')) this.#bailed = true;
  }
}

/** Several at a time end together when the long ones come first; the recording's length is a fair guess. */
function longestFirst(scenarios: readonly Scenario[]): Scenario[] {
  return [...scenarios].sort((a, b) => b.steps.length - a.steps.length);
}

/** What the harness could not do for one scenario (a full disk, a fault of its own) is no reason to lose the others. */
function cutOff(scenario: Scenario, error: unknown): ScenarioOutcome {
  const message = error instanceof Error ? error.message : String(error);
  const result = errored(scenario, `the harness could not go on: ${message}`);
  return { result, identity: undefined, timedOut: false, greets: true, exercised: new Set() };
}

/** Failed when the scenario stopped early: then nothing can be said of answers that were to come. */
const STOPPED = 'replay/scenario-completed';

function withSlowNote(result: ScenarioResult): ScenarioResult {
  const note = {
    id: 'replay/slow',
    status: 'passed',
    severity: 'note',
    pass: 'replay',
    step: null,
    method: null,
    message: `An answer or the exit came only with ${PATIENCE} times the time limit. Raise --timeout or --grace, or look at what keeps the server busy.`,
    requirement: 'The documents set no time limit for an answer.',
    differences: [],
    evidence: [],
  } as const;
  return { ...result, checks: [...result.checks, note] };
}
