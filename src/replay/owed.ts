import type { ExactObject } from '../wire/exact-json.js';
import { isRecord } from './exchange.js';
import { isPromisedEvent } from './promises.js';
import type { Script, ScriptStep, ServerStep } from './script.js';
import { idleSettingEvents } from './settings.js';

type Params = ExactObject | Readonly<Record<string, unknown>>;

/** Which of a recording's events another server owes. */
export class Owed {
  readonly #idleSettings: ReadonlySet<string>;
  /** Recorded turns that ran when the harness killed the server: how they end is the server's affair. */
  readonly diedTurns = new Set<string>();
  /** Recorded turns that waited then: whether they run afterwards is the server's affair. */
  readonly #parkedTurns = new Set<string>();
  readonly #lineOfDeath = new Map<string, number>();

  constructor(
    script: Script,
    /** Recorded turns that a turn/start asked for. Others (a goal's, a recovered one) are the server's business. */
    private readonly askedTurns: ReadonlySet<string>,
  ) {
    this.#idleSettings = idleSettingEvents(script);
    this.#noteDeaths(script.steps);
  }

  /** True for an event that a page of the view must hold where the recorded page does. */
  inPage(method: string, params: Params): boolean {
    if (!isPromisedEvent(method, params) || this.#idleSettings.has(String(params['viewCursor'])))
      return false;
    const turnId = turnOf(params);
    return turnId === undefined || (this.askedTurns.has(turnId) && !this.#parkedTurns.has(turnId));
  }

  /** True for an event that must be told on the connection. After a kill the view alone tells of the turns that it hit. */
  onStream({ method = '', params, line }: ServerStep): boolean {
    const died = this.#lineOfDeath.get(turnOf(params) ?? '');
    return (died === undefined || line < died) && this.inPage(method, params);
  }

  #noteDeaths(steps: readonly ScriptStep[]): void {
    const open = new Map<string, 'waits' | 'runs'>();
    for (const step of steps) {
      if (step.kind === 'control' && step.op === 'crash') this.#kill(open, step.line);
      if (step.kind !== 'server') continue;
      const { message } = step.frame;
      const result = message.kind === 'success' && isRecord(message.result) ? message.result : {};
      if (result['disposition'] === 'queued') open.set(String(result['turnId']), 'waits');
      const turnId = turnOf(step.params);
      if (turnId === undefined) continue;
      if (step.method === 'turn/started') open.set(turnId, 'runs');
      if (step.method === 'turn/completed' || step.method === 'turn/unqueued') open.delete(turnId);
    }
  }

  #kill(open: Map<string, 'waits' | 'runs'>, line: number): void {
    for (const [turnId, state] of open) {
      (state === 'runs' ? this.diedTurns : this.#parkedTurns).add(turnId);
      this.#lineOfDeath.set(turnId, line);
    }
    open.clear();
  }
}

function turnOf(params: Params): string | undefined {
  const { item } = params;
  const turnId = params['turnId'] ?? (isRecord(item) ? item['turnId'] : undefined);
  return typeof turnId === 'string' ? turnId : undefined;
}
