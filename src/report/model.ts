import type { CheckStatus, Evidence, PassName, Severity } from '../checks/finding.js';
import type { Difference } from '../wire/difference.js';

/** The report file, `formatVersion` 1. Everything that a renderer may know; it never sees a socket. */
export interface Report {
  readonly formatVersion: 1;
  readonly tool: { readonly name: string; readonly version: string };
  readonly target: {
    readonly label: string;
    readonly transport: 'stdio' | 'unix' | 'tcp';
    readonly command: readonly string[] | null;
    readonly serverInfo: { readonly name: string; readonly version: string } | null;
    readonly sessionDurability: string | null;
  };
  readonly schema: {
    readonly path: string;
    readonly fingerprint: string;
    /** Fingerprint that the server announced, null when it never got that far. */
    readonly served: string | null;
    readonly match: boolean;
  };
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly seed: number;
  readonly verdict: 'conformant' | 'nonconformant' | 'incomplete';
  /** Why the verdict is `incomplete`, when it is. */
  readonly reason?: string;
  /** What ended the run before it was through: the name of a signal. */
  readonly endedBy?: string;
  /** The derived passes, where they were asked for by name: then one of them has to have judged something. */
  readonly askedPasses?: readonly PassName[];
  readonly totals: {
    readonly scenarios: Readonly<Record<ScenarioStatus, number>>;
    readonly checks: Readonly<Record<CheckStatus, number>>;
  };
  readonly scenarios: readonly ScenarioResult[];
  readonly coverage: { readonly methods: readonly MethodCoverage[] };
  /** Entries of the expected-failures file whose checks ran and no longer fail. */
  readonly staleExpectations?: readonly Expectation[];
}

/** An entry of the expected-failures file. */
export interface Expectation {
  /** `scenario` or `scenario:check`; either part may be a glob. */
  readonly match: string;
  readonly reason: string;
  /** Link to the issue that tracks it. */
  readonly issue?: string;
}

export type ScenarioStatus = 'passed' | 'failed' | 'notApplicable' | 'errored';

export interface ScenarioResult {
  readonly id: string;
  readonly title: string;
  readonly status: ScenarioStatus;
  /** Why the scenario was not run or could not be finished; empty otherwise. */
  readonly reason: string;
  readonly durationMs: number;
  readonly checks: readonly CheckResult[];
  /** Last lines of the server's stderr, when something failed. */
  readonly stderr?: string;
}

export interface CheckResult {
  readonly id: string;
  readonly status: CheckStatus;
  readonly severity: Severity;
  readonly pass: PassName;
  readonly step: number | null;
  readonly method: string | null;
  readonly message: string;
  readonly requirement: string;
  readonly differences: readonly Difference[];
  readonly evidence: readonly Evidence[];
  /** The command that re-runs just this check; present on failed and warned checks. */
  readonly rerun?: string;
  /** Set by `--repeat` when the verdict changed between rounds: every verdict seen, in order. */
  readonly flaky?: readonly CheckStatus[];
  /** Set on a failed check that the expected-failures file names: it does not fail the run. */
  readonly expectedFailure?: Expectation;
}

/** How one method fared: exercised by which scenarios, and the worst status of each pass. */
export interface MethodCoverage {
  readonly method: string;
  readonly exercised: boolean;
  readonly passes: Readonly<Partial<Record<PassName, CheckStatus>>>;
}
