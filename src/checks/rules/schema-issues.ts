import type { SchemaIssue, SchemaOutcome, SchemaRule } from '../../schema/outcome.js';
import type { CheckId } from '../catalogue.js';
import type { ObservedFrame } from './observation.js';
import type { Verdicts } from './verdicts.js';

const NOTE_CHECKS: Partial<Record<SchemaRule, CheckId>> = {
  unknownMember: 'tolerance/unknown-member',
  openEnum: 'tolerance/unknown-enum-value',
};

/** Reports a value's violations under `id`, one occurrence for the frame, and its notes under the tolerance checks. */
export function reportIssues(
  verdicts: Verdicts,
  id: CheckId,
  { violations, notes }: SchemaOutcome,
  place: { readonly at: ObservedFrame; readonly method?: string | undefined },
): void {
  if (violations.length === 0 && notes.length === 0) return;
  const grave = violations.filter((issue) => issue.rule !== 'disputed');
  if (grave.length > 0) verdicts.report(id, { ...place, message: sentences(grave) });
  const disputed = notes.filter(({ rule }) => rule === 'disputed');
  if (disputed.length > 0) verdicts.report(id, { ...place, message: sentences(disputed) }, 'warning');
  for (const [rule, noteId] of Object.entries(NOTE_CHECKS)) {
    const tolerated = notes.filter((issue) => issue.rule === rule);
    if (tolerated.length > 0)
      verdicts.report(noteIdFor(noteId, id), { ...place, message: sentences(tolerated) });
  }
}

function noteIdFor(noteId: CheckId, id: CheckId): CheckId {
  return id === 'schema/error-pair' ? 'tolerance/unknown-error-kind' : noteId;
}

const ISSUES_TOLD = 5;

function sentences(issues: readonly SchemaIssue[]): string {
  const told = issues
    .slice(0, ISSUES_TOLD)
    .map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  const more = issues.length - told.length;
  return `${told.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}
