import type { ExactObject } from '../wire/exact-json.js';
import { isRecord } from './exchange.js';
import type { Script, ScriptStep } from './script.js';

type Params = ExactObject | Readonly<Record<string, unknown>>;

interface Setting {
  /** The value that an event of the setting tells; null when it is unset. */
  read(params: Params): unknown;
  /** The menu that the value is an entry of. */
  readonly menu?: string;
  /** False: what the setting is before the first event is known to be nothing. */
  readonly hasDefault: boolean;
}

/** The setting that notifications of a method tell of; undefined for other methods. */
export function settingOf(method: string): Setting | undefined {
  return SETTINGS.get(method);
}

const SETTINGS: ReadonlyMap<string, Setting> = new Map<string, Setting>([
  [
    'session/goalChanged',
    { read: ({ goal }) => (isRecord(goal) ? goal['objective'] : null), hasDefault: false },
  ],
  ['session/nameChanged', { read: ({ name }) => name ?? null, hasDefault: false }],
  ['session/modelChanged', { read: ({ modelId }) => modelId ?? null, menu: 'model', hasDefault: true }],
  ['session/approvalModeChanged', { read: ({ mode }) => mode ?? null, hasDefault: true }],
  [
    'session/reasoningEffortChanged',
    { read: ({ reasoningEffort }) => reasoningEffort ?? null, hasDefault: true },
  ],
]);

/**
 * Recorded cursors of the events of a setting that no server owes: the ones that tell nothing new, and the first of a
 * setting that has a default, since the default of another server may be the very value that is set.
 */
export function idleSettingEvents(script: Script): ReadonlySet<string> {
  const known = new Map<string, string>();
  const seen = new Set<string>();
  const idle = new Set<string>();
  for (const { method, params } of script.steps.flatMap(eventsIn)) {
    const setting = settingOf(method);
    const cursor = String(params['viewCursor']);
    if (setting === undefined || seen.has(cursor)) continue;
    seen.add(cursor);
    const key = `${params['sessionId']} ${method}`;
    const before = known.get(key);
    const now = JSON.stringify([setting.read(params), isRecord(params['goal']) && params['goal']['status']]);
    known.set(key, now);
    if (before === now || (before === undefined && setting.hasDefault)) idle.add(cursor);
  }
  return idle;
}

interface RecordedEvent {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The event that a step is, or those of the page that it holds. */
function eventsIn(step: ScriptStep): RecordedEvent[] {
  if (step.kind !== 'server') return [];
  if (step.role === 'event') return [{ method: step.method ?? '', params: step.params }];
  const { message } = step.frame;
  const page = message.kind === 'success' && isRecord(message.result) ? message.result['events'] : undefined;
  return Array.isArray(page) ? page.filter(isRecordedEvent) : [];
}

function isRecordedEvent(value: unknown): value is RecordedEvent {
  return isRecord(value) && typeof value['method'] === 'string' && isRecord(value['params']);
}
