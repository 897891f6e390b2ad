import type { Difference } from '../../wire/difference.js';
import { type CheckId, checkDefinition } from '../catalogue.js';
import type { CheckStatus, Evidence, Finding, PassName, Severity } from '../finding.js';
import { RecentFrames } from './evidence.js';
import type { ObservedFrame } from './observation.js';

/** Occurrences of one check that are kept; further ones are counted. */
const OCCURRENCES_KEPT = 20;
const OCCURRENCES_WITH_EVIDENCE = 3;

/** One place at which a check did not simply pass. */
export interface Occurrence {
  readonly status: CheckStatus;
  /** What the harness was doing when it was seen. */
  readonly pass: PassName;
  readonly message: string;
  readonly step?: number;
  readonly method?: string;
  readonly differences?: readonly Difference[];
  readonly evidence?: readonly Evidence[];
}

/** How one check fared over a whole stream. */
export interface CheckOutcome {
  readonly id: CheckId;
  readonly severity: Severity;
  /** The worst status that occurred; `passed` when there was at most a note. */
  readonly status: CheckStatus;
  /** In order, at most 20. Empty for a plain pass. */
  readonly occurrences: readonly Occurrence[];
  /** Occurrences beyond those. */
  readonly more: number;
}

export interface Report {
  readonly message: string;
  readonly at?: ObservedFrame | undefined;
  readonly method?: string | undefined;
  readonly differences?: readonly Difference[] | undefined;
}

/** `violation` counts as the check's severity says; `warning` and `note` are for points that the documents leave open. */
export type Weight = 'violation' | 'warning' | 'note';

/** Collects what the rules find, one outcome for each check that was exercised. */
export class Verdicts {
  readonly recent = new RecentFrames();
  private seenIn: PassName;
  private readonly outcomes = new Map<
    CheckId,
    { occurrences: Occurrence[]; more: number; worst: CheckStatus }
  >();

  constructor(
    private readonly tolerant: boolean,
    private readonly pass: PassName = 'replay',
  ) {
    this.seenIn = pass;
  }

  /** What is reported from now on is attributed to this pass. */
  enter(pass: PassName): void {
    this.seenIn = pass;
  }

  /** The check had something to look at. Without a report it passes. */
  exercise(id: CheckId): void {
    this.outcomeOf(id);
  }

  report(id: CheckId, { message, at, method, differences }: Report, weight: Weight = 'violation'): void {
    const outcome = this.outcomeOf(id);
    const status = this.tolerant ? 'passed' : statusFor(checkDefinition(id).severity, weight);
    outcome.worst = worse(outcome.worst, status);
    // Said twice of no particular line, the same sentence tells a reader nothing new; nor does a second note.
    const isPlaceless = at?.step === undefined || status === 'passed';
    if (isPlaceless && outcome.occurrences.some((known) => known.message === message)) return;
    if (outcome.occurrences.length >= OCCURRENCES_KEPT) {
      outcome.more += 1;
      return;
    }
    const withEvidence = outcome.occurrences.length < OCCURRENCES_WITH_EVIDENCE;
    outcome.occurrences.push({
      status,
      pass: this.seenIn,
      message,
      ...(at?.step === undefined ? {} : { step: at.step }),
      ...(method === undefined ? {} : { method }),
      ...(differences === undefined ? {} : { differences }),
      ...(withEvidence ? { evidence: this.recent.around(at) } : {}),
    });
  }

  /** What was found so far, in the order in which the checks were first exercised. */
  all(): readonly CheckOutcome[] {
    return [...this.outcomes].map(([id, { occurrences, more, worst }]) => ({
      id,
      severity: checkDefinition(id).severity,
      status: worst,
      occurrences,
      more,
    }));
  }

  /** One finding for each outcome; a finding tells of its worst occurrence first, and has that one's pass. */
  findings(): readonly Finding[] {
    return this.all().map((outcome) => toFinding(outcome, this.pass));
  }

  private outcomeOf(id: CheckId) {
    let outcome = this.outcomes.get(id);
    if (outcome === undefined) {
      outcome = { occurrences: [], more: 0, worst: 'passed' };
      this.outcomes.set(id, outcome);
    }
    return outcome;
  }
}

function statusFor(severity: Severity, weight: Weight): CheckStatus {
  if (weight === 'note' || severity === 'note') return 'passed';
  return weight === 'warning' || severity === 'should' ? 'warned' : 'failed';
}

const RANK: Readonly<Record<string, number>> = { passed: 0, warned: 1, failed: 2 };

function worse(a: CheckStatus, b: CheckStatus): CheckStatus {
  return (RANK[b] ?? 0) > (RANK[a] ?? 0) ? b : a;
}

function toFinding(outcome: CheckOutcome, pass: PassName): Finding {
  const { id, status, severity, occurrences, more } = outcome;
  const lead = occurrences.find((occurrence) => occurrence.status === status);
  if (lead === undefined) return { id, status, severity, pass, message: '' };
  const others = occurrences.filter((occurrence) => occurrence !== lead);
  return {
    id,
    status,
    // A mere note on a must-check is a note to whoever reads the report.
    severity: status === 'passed' ? 'note' : severity,
    pass: lead.pass,
    message: [lead.message, ...others.map(lineOf), ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
    ...(lead.step === undefined ? {} : { step: lead.step }),
    ...(lead.method === undefined ? {} : { method: lead.method }),
    ...(lead.differences === undefined ? {} : { differences: lead.differences }),
    ...(lead.evidence === undefined ? {} : { evidence: lead.evidence }),
  };
}

function lineOf({ step, message }: Occurrence): string {
  return step === undefined ? message : `line ${step}: ${message}`;
}
