import { mergeCoverage } from './coverage.js';
import { ReportInputError } from './errors.js';
import type { Expectation, Report } from './model.js';
import { totalsOf, verdictOf } from './verdict.js';

/**
 * The shards of one run as the report that one machine would have written: scenarios in one order, totals, coverage
 * and verdict computed anew, durations added up. Throws `ReportInputError` when the reports are not of one run.
 */
export function mergeReports(reports: readonly Report[]): Report {
  const [first, ...others] = reports;
  if (first === undefined) throw new ReportInputError('There is no report to merge.');
  for (const [i, report] of others.entries()) assertSameRun(first, report, i + 2);
  const scenarios = reports
    .flatMap((report) => report.scenarios)
    .sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  assertDistinct(scenarios.map(({ id }) => id));
  const stale = stillStale(reports);
  const endedBy = firstKnown(reports, (report) => report.endedBy ?? null);
  const ended = endedBy === null ? {} : { endedBy };
  const { reason: _, staleExpectations: __, ...common } = first;
  return {
    ...common,
    target: {
      ...first.target,
      serverInfo: firstKnown(reports, ({ target }) => target.serverInfo),
      sessionDurability: firstKnown(reports, ({ target }) => target.sessionDurability),
    },
    schema: reports.find(({ schema }) => schema.served !== null)?.schema ?? first.schema,
    startedAt: reports.map((report) => report.startedAt).sort()[0] ?? first.startedAt,
    durationMs: reports.reduce((sum, { durationMs }) => sum + durationMs, 0),
    totals: totalsOf(scenarios),
    scenarios,
    coverage: { methods: mergeCoverage(reports.flatMap(({ coverage }) => coverage.methods)) },
    ...verdictOf(scenarios, stale, { ...first, ...ended }),
    ...ended,
    ...(stale.length > 0 ? { staleExpectations: stale } : {}),
  };
}

function assertSameRun(first: Report, other: Report, number: number): void {
  const same: readonly [string, (report: Report) => unknown][] = [
    ['tool', ({ tool }) => `${tool.name} ${tool.version}`],
    ['target', ({ target }) => target.label],
    ['transport', ({ target }) => target.transport],
    ['command', ({ target }) => target.command],
    ['server', ({ target }) => target.serverInfo],
    ['schema', ({ schema }) => schema.fingerprint],
    ['seed', ({ seed }) => seed],
    ['passes', ({ askedPasses }) => askedPasses],
  ];
  for (const [name, read] of same) {
    const [a, b] = [read(first), read(other)];
    // A shard whose server never answered knows no server name; that is no other server.
    if (name === 'server' && (a === null || b === null)) continue;
    if (JSON.stringify(a) !== JSON.stringify(b)) {
      const hint = name === 'seed' ? ' Give every shard the same --seed.' : '';
      throw new ReportInputError(
        `These reports are not shards of one run: ${name} is ${JSON.stringify(a)} in the first, ${JSON.stringify(b)} in report ${number}.${hint}`,
      );
    }
  }
}

function assertDistinct(sortedIds: readonly string[]): void {
  const twice = sortedIds.find((id, i) => id === sortedIds[i + 1]);
  if (twice !== undefined) {
    throw new ReportInputError(
      `Scenario ${JSON.stringify(twice)} is in more than one report: merge each shard once.`,
    );
  }
}

/** A glob may be stale in one shard and still needed in another. */
function stillStale(reports: readonly Report[]): Expectation[] {
  const needed = new Set(
    reports.flatMap(({ scenarios }) =>
      scenarios.flatMap(({ checks }) => checks.map(({ expectedFailure }) => expectedFailure?.match)),
    ),
  );
  const all = reports.flatMap(({ staleExpectations = [] }) => staleExpectations);
  return all.filter(
    ({ match }, i) => !needed.has(match) && all.findIndex((other) => other.match === match) === i,
  );
}

function firstKnown<T>(reports: readonly Report[], read: (report: Report) => T | null): T | null {
  return reports.map(read).find((value) => value !== null) ?? null;
}
