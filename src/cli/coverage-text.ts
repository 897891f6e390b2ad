import { forTerminal } from '../report/escape.js';
import { paragraph } from '../report/paragraph.js';
import { plural } from '../report/problems.js';
import type { BundleCoverage, Covered, CoveredMethod } from './bundle-coverage.js';

/** A coverage for a person: counts, what is covered by how many scenarios, and what is not covered at all. */
export function coverageText(coverage: BundleCoverage, width: number): string {
  const { methods, notifications, serverRequests, errorKinds } = coverage;
  const sections = [
    [`${plural(coverage.scenarios, 'scenario')} against ${forTerminal(coverage.schema.path)}`],
    section('Methods', methods, methodRemark, width),
    section('Notifications', notifications, () => '', width),
    section('Requests of the server', serverRequests, () => '', width),
    section('Error kinds', errorKinds, () => '', width),
  ];
  return `${sections.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function section<T extends Covered>(
  title: string,
  entries: readonly T[],
  remark: (entry: T) => string,
  width: number,
): string[] {
  const covered = entries.filter(({ scenarios }) => scenarios.length > 0);
  const nameWidth = Math.max(0, ...covered.map(({ name }) => name.length));
  const rows = covered.map((entry) => {
    const count = plural(entry.scenarios.length, 'scenario');
    return `  ${forTerminal(entry.name).padEnd(nameWidth)}  ${count.padEnd(13)}  ${remark(entry)}`.trimEnd();
  });
  return [
    `${title}: ${[share(entries, 'stable'), share(entries, 'experimental')].filter(Boolean).join(', ')}`,
    ...rows,
    ...missing('not covered', entries, 'stable', width),
    ...missing('not covered, experimental', entries, 'experimental', width),
  ];
}

function methodRemark({ isCommand, passes, succeedsIn }: CoveredMethod): string {
  return [
    isCommand ? `command, passes: ${passes === 'all' ? 'all' : passes.join(', ') || 'none'}` : '',
    succeedsIn.length === 0 ? 'only ever refused' : '',
  ]
    .filter(Boolean)
    .join('; ');
}

function share(entries: readonly Covered[], wanted: Covered['stability']): string {
  const all = entries.filter(({ stability }) => stability === wanted);
  if (all.length === 0) return '';
  return `${all.filter(({ scenarios }) => scenarios.length > 0).length} of ${all.length} ${wanted}`;
}

function missing(
  title: string,
  entries: readonly Covered[],
  wanted: Covered['stability'],
  width: number,
): string[] {
  const names = entries.filter(({ stability, scenarios }) => stability === wanted && scenarios.length === 0);
  if (names.length === 0) return [];
  const text = `${title}: ${names.map(({ name }) => name).join(', ')}`;
  return paragraph(text, width - 2).map((line) => `  ${line}`);
}
