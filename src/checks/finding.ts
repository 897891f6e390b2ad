import type { Difference } from '../wire/difference.js';

/** How strongly the protocol's documents demand something. */
export type Severity = 'must' | 'should' | 'note';

export type CheckStatus = 'passed' | 'failed' | 'warned' | 'notApplicable' | 'untestable';

/** The replays derived from a scenario, in the order in which reports show them. */
export const DERIVED_PASSES = [
  'duplicate',
  'reordered',
  'pipelined',
  'reconnect',
  'conflict',
  'rejected',
  'restart',
  'crash-after-ack',
  'crash-before-ack',
  'carrierless',
  'malformed',
] as const;

/** The derived replays, and `replay` for the recorded exchange itself. */
export type PassName = 'replay' | (typeof DERIVED_PASSES)[number];

/** A frame or an event of the harness, as it is shown beside a finding. */
export interface Evidence {
  /** Milliseconds since the scenario began. */
  readonly atMs: number;
  /** `control` is the harness itself: start, stop, kill, restart. */
  readonly dir: 'client' | 'server' | 'control';
  readonly raw: string;
}

/**
 * One verdict on one rule. A note is a `passed` finding of severity `note` with a message; a warning is `warned`.
 * Only `failed` makes a run nonconformant (with `--strict`, `warned` too).
 */
export interface Finding {
  /** Id in the catalogue, e.g. `idempotency/duplicate-ack-identical`. */
  readonly id: string;
  readonly status: CheckStatus;
  readonly severity: Severity;
  readonly pass: PassName;
  /** What a person needs to know: expected, found, what to do. Empty for a plain pass. */
  readonly message: string;
  /** 1-based line of the transcript that the finding is about, where there is one. */
  readonly step?: number;
  readonly method?: string;
  readonly differences?: readonly Difference[];
  readonly evidence?: readonly Evidence[];
}
