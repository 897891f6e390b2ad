import {
  type JsonMembers,
  membersOf,
  type Observation,
  type ObservedFrame,
  type Rule,
} from './observation.js';
import type { Verdicts } from './verdicts.js';

/** What a resume or fork delivers of the past, against the mode that it names. */
export class History implements Rule {
  constructor(private readonly verdicts: Verdicts) {}

  observe({ at, message, request }: Observation): void {
    if (at.dir === 'client' || message.kind !== 'success' || request === undefined) return;
    const history = membersOf(membersOf(message.result)?.['history']);
    if (history !== undefined) this.observeHistory(history, request.method, at);
  }

  private observeHistory(history: JsonMembers, method: string, at: ObservedFrame): void {
    const mode = history['mode'];
    if (typeof mode !== 'string' || !KNOWN_MODES.has(mode)) return;
    this.verdicts.exercise('view/history-mode');
    const hasItems = isGiven(history['items']);
    const hasSnapshot = isGiven(history['snapshot']);
    const tell = (message: string, weight: 'violation' | 'warning') =>
      this.verdicts.report('view/history-mode', { message, at, method }, weight);
    if (hasItems && mode !== 'inline') tell(`The mode is ${mode} and items is not null.`, 'violation');
    if (hasSnapshot && !SNAPSHOT_MODES.has(mode))
      tell(`The mode is ${mode} and snapshot is not null.`, 'violation');
    if (mode === 'inline' && !hasItems) tell('The mode is inline and items is null.', 'warning');
    if (SNAPSHOT_MODES.has(mode) && !hasSnapshot)
      tell(`The mode is ${mode} and snapshot is null.`, 'warning');
    if (mode !== 'none') return;
    this.verdicts.exercise('view/history-none-reason');
    if (!isGiven(history['noneReason']))
      this.verdicts.report('view/history-none-reason', {
        message: 'The mode is none and there is no noneReason; older hosts leave it out.',
        at,
        method,
      });
  }
}

const SNAPSHOT_MODES: ReadonlySet<string> = new Set(['snapshot', 'anchoredSnapshot']);
const KNOWN_MODES: ReadonlySet<string> = new Set(['inline', 'none', ...SNAPSHOT_MODES]);

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}
