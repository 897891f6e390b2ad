import { type CheckId, checkDefinition } from './catalogue.js';
import type { CheckStatus, Finding, PassName, Severity } from './finding.js';

export interface Verdict extends Partial<Omit<Finding, 'id' | 'severity' | 'pass'>> {
  readonly status: CheckStatus;
  readonly severity?: Severity;
}

/** Collects the findings of one scenario; severities come from the catalogue, and only a `must` can fail. */
export class Findings {
  readonly #all: Finding[] = [];

  get all(): readonly Finding[] {
    return this.#all;
  }

  add(id: CheckId, pass: PassName, verdict: Verdict): void {
    const { severity } = checkDefinition(id);
    const status = verdict.status === 'failed' && severity !== 'must' ? 'warned' : verdict.status;
    this.#all.push({ message: '', severity, ...verdict, status, id, pass });
  }

  /** A conformant observation that a person may want to know of. */
  note(id: CheckId, pass: PassName, message: string, more: Partial<Verdict> = {}): void {
    this.add(id, pass, { ...more, status: 'passed', severity: 'note', message });
  }

  addAll(findings: Iterable<Finding>): void {
    for (const finding of findings) this.#all.push(finding);
  }

  get hasFailure(): boolean {
    return this.#all.some((finding) => finding.status === 'failed');
  }
}
