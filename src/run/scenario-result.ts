import { checkDefinition } from '../checks/catalogue.js';
import type { Finding } from '../checks/finding.js';
import type { CheckResult, ScenarioResult } from '../report/model.js';
import type { Scenario } from '../transcript/scenario.js';
import type { RunSetup } from './setup.js';

/** How the running of a scenario ended, verdicts aside. */
export type ScenarioEnd =
  | { readonly kind: 'ran' }
  | { readonly kind: 'notApplicable' | 'errored'; readonly reason: string };

/** Turns a scenario's findings into its part of the report. */
export function scenarioResult(
  scenario: Pick<Scenario, 'id' | 'manifest'>,
  end: ScenarioEnd,
  findings: readonly Finding[],
  durationMs: number,
  setup: RunSetup,
  stderr: string,
): ScenarioResult {
  const checks = findings
    .filter(({ id }) => isSelected(scenario.id, id, setup))
    .map((finding) => checkResult(scenario.id, finding, setup));
  const unmet = end.kind === 'ran' ? unreached(scenario.id, checks, findings, setup) : undefined;
  const hasFailed = checks.some(({ status }) => status === 'failed');
  const lacksMethod =
    end.kind === 'notApplicable' && setup.require === 'all' && end.reason.includes('methodNotFound');
  return {
    id: scenario.id,
    title: scenario.manifest?.conformance?.title ?? scenario.id,
    status: hasFailed || lacksMethod ? 'failed' : statusOf(end, unmet),
    reason: unmet ?? (end.kind === 'ran' ? '' : end.reason),
    durationMs: Math.round(durationMs),
    checks,
    ...(stderr !== '' && (hasFailed || end.kind === 'errored') && { stderr }),
  };
}

function statusOf(end: ScenarioEnd, unmet: string | undefined): ScenarioResult['status'] {
  if (unmet !== undefined) return 'notApplicable';
  return end.kind === 'ran' ? 'passed' : end.kind;
}

/** Why nothing can be said of the checks that were asked for by name; undefined when something can. */
function unreached(
  scenarioId: string,
  checks: readonly CheckResult[],
  findings: readonly Finding[],
  { only }: RunSetup,
): string | undefined {
  const isAskedFor = only.some(
    ({ namesCheck, matchesScenario }) => namesCheck && matchesScenario(scenarioId),
  );
  if (!isAskedFor || checks.some(({ status }) => JUDGED.has(status))) return undefined;
  const cause = findings.find(({ status }) => status === 'failed');
  const why = cause === undefined ? '' : `; ${cause.id} failed before: ${cause.message}`;
  return `the selected checks had nothing to judge in this scenario${why}`;
}

const JUDGED: ReadonlySet<CheckResult['status']> = new Set(['passed', 'warned', 'failed']);

function isSelected(scenarioId: string, checkId: string, { only, skip }: RunSetup): boolean {
  if (skip.some((pattern) => pattern.namesCheck && pattern.matchesCheck(scenarioId, checkId))) return false;
  return only.length === 0 || only.some((pattern) => pattern.matchesCheck(scenarioId, checkId));
}

function checkResult(scenarioId: string, finding: Finding, setup: RunSetup): CheckResult {
  const { requirement } = checkDefinition(finding.id);
  const isTrouble = finding.status === 'failed' || finding.status === 'warned';
  return {
    id: finding.id,
    status: finding.status,
    severity: finding.severity,
    pass: finding.pass,
    step: finding.step ?? null,
    method: finding.method ?? null,
    message: finding.message,
    requirement,
    differences: finding.differences ?? [],
    evidence: finding.evidence ?? [],
    ...(isTrouble && { rerun: setup.rerun(scenarioId, finding.id) }),
  };
}
