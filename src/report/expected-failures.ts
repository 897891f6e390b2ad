import type { Document, YAMLMap } from 'yaml';
import { ReportInputError } from './errors.js';
import type { CheckResult, Expectation, ScenarioResult } from './model.js';
import { compilePattern } from './pattern.js';
import { isStale, type RunScope } from './stale.js';
import { isViolation } from './verdict.js';
import { readYaml, type YamlSource, yaml } from './yaml-source.js';

/** An expected-failures file: a YAML list of `match`, `reason` and optionally `issue`. */
export interface Baseline {
  readonly file: string;
  readonly entries: readonly Expectation[];
  readonly document: Document;
}

/** A run's results with the baseline applied. */
export interface Judged {
  readonly scenarios: readonly ScenarioResult[];
  /** Entries whose checks ran and no longer fail; they fail the run. */
  readonly stale: readonly Expectation[];
}

/** Reads a baseline's text. Throws `ReportInputError` with file, line and column. An empty file expects nothing. */
export function readBaseline(text: string, file: string): Baseline {
  const source = readYaml(text, file, (message) => new ReportInputError(message));
  const list = source.value ?? [];
  if (!Array.isArray(list))
    throw wrong(source, [], 'the file must be a list of entries with match and reason');
  const entries = list.map((entry: unknown, i) => readEntry(source, i, entry));
  const twice = entries.findIndex(({ match }, i) => entries.findIndex((other) => other.match === match) < i);
  if (twice >= 0)
    throw wrong(source, [twice, 'match'], `${JSON.stringify(entries[twice]?.match)} is listed twice`);
  return { file, entries, document: source.document };
}

/**
 * Marks each failure that an entry names. A scenario whose failures are all expected passes. An entry is stale when
 * checks that it names were judged and none of them failed or warned; what did not run says nothing about it.
 */
export function applyBaseline(
  scenarios: readonly ScenarioResult[],
  { entries }: Baseline,
  scope: RunScope,
): Judged {
  return {
    scenarios: scenarios.map((scenario) => markExpected(scenario, { entries })),
    stale: entries.filter(({ match }) => isStale(compilePattern(match), scenarios, scope)),
  };
}

/** Marks each failure that an entry names, and gives the scenario the status that is left. */
export function markExpected(
  scenario: ScenarioResult,
  { entries }: Pick<Baseline, 'entries'>,
): ScenarioResult {
  const compiled = entries.map((entry) => ({ entry, pattern: compilePattern(entry.match) }));
  const checks = scenario.checks.map((check): CheckResult => {
    const named = compiled.find(({ pattern }) => pattern.matchesCheck(scenario.id, check.id));
    return check.status === 'failed' && named !== undefined
      ? { ...check, expectedFailure: named.entry }
      : check;
  });
  const isNamed = compiled.some(({ pattern }) => !pattern.namesCheck && pattern.matchesScenario(scenario.id));
  return { ...scenario, checks, status: statusAfter({ ...scenario, checks }, isNamed) };
}

/**
 * The baseline's text after `--update-expected-failures`: stale entries go, every failure that no entry names gets
 * one; reasons, comments and entries that this run could not judge stay as they are.
 */
export function updatedBaseline(
  { document, entries }: Baseline,
  scenarios: readonly ScenarioResult[],
  scope: RunScope,
): string {
  const { isMap, isSeq } = yaml();
  const { scenarios: judged, stale } = applyBaseline(scenarios, { file: '', entries, document }, scope);
  const updated = document.clone();
  if (!isSeq(updated.contents)) updated.contents = updated.createNode([]);
  const list = updated.contents;
  if (!isSeq(list)) return updated.toString();
  const gone = new Set(stale.map(({ match }) => match));
  const [head] = list.items;
  list.items = list.items.filter(
    (item) => !(isMap(item) && gone.has(String((item as YAMLMap).get('match')))),
  );
  // A comment at the top of the file is read as the first entry's own, and must not go with it.
  if (isMap(head) && head.commentBefore && !list.items.includes(head)) {
    updated.commentBefore = [updated.commentBefore, head.commentBefore].filter(Boolean).join('\n\n');
  }
  const missing = judged.flatMap(({ id, checks }) =>
    checks.filter(isViolation).map((check) => `${id}:${check.id}`),
  );
  for (const match of [...new Set(missing)].sort()) {
    list.add(updated.createNode({ match, reason: NEW_REASON }));
  }
  list.flow = list.items.length === 0;
  return updated.toString({ lineWidth: 0 });
}

/** The baseline that a first `--update-expected-failures` starts from. */
export function emptyBaseline(file: string): Baseline {
  return readBaseline(
    '# Failures that are known: each entry has match (scenario or scenario:check), reason, issue.\n',
    file,
  );
}

const NEW_REASON = 'added by --update-expected-failures; say here why this is accepted';

function statusAfter({ status, checks }: ScenarioResult, isNamed: boolean): ScenarioResult['status'] {
  if (status !== 'failed' || checks.some(isViolation)) return status;
  if (checks.some((check) => check.status === 'failed')) return 'passed';
  // It failed only because `--require all` wants it run: expected, it is what it was without.
  return isNamed ? 'notApplicable' : status;
}

function readEntry(source: YamlSource, index: number, entry: unknown): Expectation {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
    throw wrong(
      source,
      [index],
      'an entry must have match and reason, as in {match: "scenario:check", reason: "…"}',
    );
  }
  const { match, reason, issue, ...others } = entry as Readonly<Record<string, unknown>>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) {
    throw wrong(
      source,
      [index, unknown],
      `unknown key ${JSON.stringify(unknown)}; an entry has match, reason and issue`,
    );
  }
  if (typeof match !== 'string' || match === '')
    throw wrong(source, [index, 'match'], 'match must be scenario or scenario:check');
  if (typeof reason !== 'string' || reason === '')
    throw wrong(source, [index, 'reason'], `${match} needs a reason`);
  if (issue !== undefined && typeof issue !== 'string')
    throw wrong(source, [index, 'issue'], 'issue must be a link');
  return issue === undefined ? { match, reason } : { match, reason, issue };
}

function wrong(source: YamlSource, path: readonly (string | number)[], problem: string): ReportInputError {
  return new ReportInputError(`${source.at(path)}: ${problem}.`);
}
