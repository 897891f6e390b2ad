import type { DriveContext } from './drive-context.js';
import { bindEvent, canStandFor, untilEvent } from './expectations.js';
import { FREE_TEXT_MEMBERS, menuAt } from './members.js';
import type { ClientStep, ControlPoint, ServerStep } from './script.js';
import { framesThatShow } from './shown-values.js';

/**
 * Before a client frame goes out, meets the events from which the recorded client took values that the frame
 * names (an item's id, a cursor, a choice), even if nobody promised those events. Ends the drive as not applicable
 * when nothing in the live exchange stands for such a value: the frame cannot be built, and nobody is to blame.
 */
export async function awaitSources(step: ClientStep | ControlPoint, context: DriveContext): Promise<void> {
  if (step.kind !== 'client') return;
  for (const named of namedValues(step.params)) {
    const isKnown = () => context.bindings.liveOf(named.value, named.menu) !== undefined;
    const sources = isKnown() ? [] : sourcesOf(named, step, context);
    const [first] = sources;
    if (first === undefined) continue;
    await meetOne(
      sources.filter((source) => isStillToCome(source, context)),
      context,
    );
    if (isKnown()) continue;
    const reason =
      `line ${step.line} names a value (${named.value}) that the recorded client took from ${labelOf(first)} ` +
      `(line ${first.line}), and this server sent nothing that stands for it`;
    context.stop('notApplicable', reason);
  }
}

interface NamedValue {
  readonly value: string;
  /** The menu that the value was picked from, when it is such a one. */
  readonly menu: string | undefined;
}

/** Strings of a request that may name something: neither free text nor the request's own ids. */
function* namedValues(value: unknown, member = ''): Generator<NamedValue> {
  if (typeof value === 'string') {
    if (!FREE_TEXT_MEMBERS.has(member)) yield { value, menu: menuAt([member]) };
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inner] of Object.entries(value))
      yield* namedValues(inner, Array.isArray(value) ? member : name);
  }
}

/** The server frames before the step that show the value as an id, a cursor or an entry of its menu. */
function sourcesOf({ value, menu }: NamedValue, step: ClientStep, context: DriveContext): ServerStep[] {
  return framesThatShow(context.script, value, menu).filter((source) => source.line < step.line);
}

/** Answers and events that were met have bound what they hold. */
function isStillToCome(source: ServerStep, context: DriveContext): boolean {
  return (source.role === 'event' || source.role === 'request') && !context.hasMet(source);
}

/** Waits for the first of the sources to come. True when the time limit passed without one. */
async function meetOne(sources: readonly ServerStep[], context: DriveContext): Promise<void> {
  if (sources.length === 0) return;
  const found = await untilEvent(sources, context);
  if ('kind' in found) return;
  const source = sources.find((candidate) => canStandFor(candidate, found.value, context));
  if (source !== undefined) bindEvent(source, found.value, context);
}

function labelOf(source: ServerStep): string {
  return source.method ?? `the answer to ${source.asked?.method ?? 'a request'}`;
}
