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
  readonly #retoldLines = new Set<number>();

  constructor(
    script: Script,
    /** Recorded turns that a turn/start asked for. Others (a goal's, a recovered one) are the server's business. */
    private readonly askedTurns: ReadonlySet<string>,
  ) {
    this.#idleSettings = idleSettingEvents(script);
    this.#noteDeaths(script.steps);
    this.#noteRetold(script.steps);
  }

  /** True for an event that a page of the view must hold where the recorded page does. */
  inPage(method: string, params: Params): boolean {
    if (!isPromisedEvent(method, params) || this.#idleSettings.has(String(params['viewCursor'])))
      return false;
    const turnId = turnOf(params);
    return turnId === undefined || (this.askedTurns.has(turnId) && !this.#parkedTurns.has(turnId));
  }

  /**
   * True for an event that must be told on the connection. After a kill the view alone tells of the turns that it hit,
   * and what a connection has been told need not be told again when it asks for it while it follows the session.
   */
  onStream({ method = '', params, line }: ServerStep): boolean {
    if (this.#retoldLines.has(line)) return false;
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

  #noteRetold(steps: readonly ScriptStep[]): void {
    const told = new Map<string, Set<string>>();
    for (const step of steps) {
      if (step.kind === 'control') told.clear();
      const session = step.kind === 'control' ? undefined : String(step.params['sessionId']);
      if (session === undefined) continue;
      if (step.kind === 'client' && step.method === 'view/unsubscribe') told.delete(session);
      if (step.kind !== 'server' || step.role !== 'event') continue;
      const event = `${step.method} ${step.params['viewCursor']}`;
      const known = told.get(session) ?? new Set();
      if (known.has(event)) this.#retoldLines.add(step.line);
      told.set(session, known.add(event));
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
