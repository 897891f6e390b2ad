import type { DriveContext } from './drive-context.js';
import { bindEvent, untilEvent } from './expectations.js';
import { FREE_TEXT_MEMBERS, memberRole } from './members.js';
import type { ClientStep, ServerStep } from './script.js';

/**
 * Before a client frame goes out, meets the events from which the recorded client took values that the frame
 * names (an item's id, a cursor), even if nobody promised those events. Ends the drive as not applicable when one
 * does not come: without it the frame cannot be built, and nobody is to blame.
 */
export async function awaitSources(next: { readonly line: number }, context: DriveContext): Promise<void> {
  const step = context.script.steps.find((candidate) => candidate.line === next.line);
  if (step?.kind !== 'client') return;
  for (const value of namedValues(step.params)) {
    if (context.bindings.liveOf(value) !== undefined) continue;
    const source = sourceOf(value, step, context);
    if (source === undefined) continue;
    const found = await untilEvent(source, context);
    if ('kind' in found) {
      const reason =
        `line ${step.line} names a value (${value}) that the recorded client took from ${source.method} ` +
        `(line ${source.line}), which this server did not send`;
      context.stop('notApplicable', reason, found.why === 'timeout');
    }
    bindEvent(source, found.value, context);
  }
}

/** Strings of a request that may name something: neither free text nor the request's own ids. */
function* namedValues(value: unknown, member = ''): Generator<string> {
  if (typeof value === 'string') {
    if (!FREE_TEXT_MEMBERS.has(member)) yield value;
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value)) yield* namedValues(inner, Array.isArray(value) ? member : name);
  }
}

/** The first server event before the step that shows the value as an id, a cursor or a choice. */
function sourceOf(value: string, step: ClientStep, context: DriveContext): ServerStep | undefined {
  return context.script.steps.find(
    (candidate): candidate is ServerStep =>
      candidate.kind === 'server' &&
      candidate.line < step.line &&
      candidate.role === 'event' &&
      mints(candidate.params, value),
  );
}

function mints(holder: unknown, value: string, member = ''): boolean {
  if (holder === value) return ['minted', 'offered'].includes(memberRole(undefined, member));
  if (typeof holder !== 'object' || holder === null) return false;
  return Object.entries(holder).some(([name, inner]) => mints(inner, value, Array.isArray(holder) ? member : name));
}
