import type { CheckId } from '../checks/catalogue.js';
import type { PassName } from '../checks/finding.js';
import type { Findings, Verdict } from '../checks/findings.js';
import type { Bundle } from '../schema/bundle.js';
import type { BehaviourName } from '../transcript/scenario.js';
import type { Frame, RequestId } from '../wire/frame.js';
import { idKey } from '../wire/ids.js';
import { Bindings } from './bindings.js';
import type { FrameRules } from './client-frame.js';
import type { DriveOutcome } from './drive.js';
import { type Answer, type Exchange, isRecord, type LiveEvent, type Outcome } from './exchange.js';
import type { MatchContext } from './match.js';
import { overridesOf, type PathOverrides } from './overrides.js';
import { Owed } from './owed.js';
import type { ClientStep, Script, ServerStep } from './script.js';
import type { Stage } from './stage.js';
import { actsOnUnaskedTurn } from './unasked-turns.js';
import { UnusedEvents } from './unused-events.js';
import { WorkspacePaths } from './workspace-paths.js';

/** A recorded command as it was sent in this drive, with its first answer. */
export interface LiveCommand {
  readonly step: ClientStep;
  /** What the harness provoked by itself: how; undefined for a recorded command. */
  readonly provoked?: string;
  readonly method: string;
  /** The line that was sent, without line end. */
  readonly line: string;
  readonly commandId: string;
  /** The live session that the command is for; undefined for `session/start` without a chosen id. */
  readonly sessionId: string | undefined;
  readonly answer: Answer;
  /** Milliseconds since the scenario began, when the line was sent. */
  readonly sentMs: number;
}

export interface DriveSettings {
  readonly ids: 'fresh' | 'recorded';
  readonly match: 'conformant' | 'exact';
  /** `all`: a method that the server lacks is a failure. */
  readonly require: 'core' | 'all';
  readonly pass: PassName;
  /** False: a derived replay drives the script to get somewhere; only `replay` judges what comes back. */
  readonly judges: boolean;
}

/** Ends a drive early, with the reason. */
export class Stopped extends Error {
  constructor(readonly outcome: Exclude<DriveOutcome, { status: 'completed' }>) {
    super(outcome.status);
  }
}

/** A request on its way. */
export interface Sending {
  readonly line: string;
  readonly outcome: Promise<Outcome>;
  readonly sentMs: number;
}

/** The state of one drive of a script over a stage. */
export class DriveContext {
  readonly bindings = new Bindings();
  readonly commands: LiveCommand[] = [];
  /** Live sessions in the order in which the drive met them. */
  readonly sessions = new Set<string>();
  /** Recorded sessions in which a request has acted on a turn whose length is not in our hands. */
  readonly unaskedTurnSessions = new Set<unknown>();
  readonly #sent = new Set<string>();
  readonly #texts = new Map<string, string>();
  readonly #outcomes = new Map<ClientStep, Sending>();
  readonly #serverRequests = new Map<ServerStep, RequestId>();
  /** Recorded turns that a turn/start asked for, as opposed to a goal's or a recovered one. */
  readonly askedTurns: ReadonlySet<string>;
  readonly owed: Owed;
  readonly #used = new Set<LiveEvent>();
  #unused: UnusedEvents | undefined;
  readonly #met = new Set<ServerStep>();
  readonly #orphansTaken = new Set<Frame>();
  readonly #paged = new Set<string>();
  readonly #echoTurns = new Set<string>();
  readonly #paths: WorkspacePaths;
  readonly #overrides: PathOverrides;
  readonly #firstEvent: number;

  constructor(
    readonly script: Script,
    readonly stage: Stage,
    readonly bundle: Bundle,
    readonly settings: DriveSettings,
    readonly findings: Findings,
    /** True when the connection has been initialized before the drive. */
    readonly skipsHandshake: boolean,
  ) {
    this.#paths = new WorkspacePaths(stage.workspace);
    this.#overrides = overridesOf(script.scenario.manifest);
    this.askedTurns = new Set(script.commands.flatMap((step) => askedTurn(step) ?? []));
    this.owed = new Owed(script, this.askedTurns);
    this.#firstEvent = skipsHandshake ? stage.exchange.events.length : 0;
  }

  get exchange(): Exchange {
    return this.stage.exchange;
  }

  /** Events of this drive, in arrival order. */
  events(): readonly LiveEvent[] {
    return this.exchange.events.slice(this.firstEvent);
  }

  /** Where they begin in the connection's. After a control step the new connection's events are all of this drive. */
  get firstEvent(): number {
    return this.stage.lives > 1 ? 0 : this.#firstEvent;
  }

  /** Where the events that stand for no recorded one begin. */
  get unused(): UnusedEvents {
    const { events } = this.exchange;
    if (this.#unused?.events !== events)
      this.#unused = new UnusedEvents(events, this.firstEvent, (event) => this.#used.has(event));
    return this.#unused;
  }

  frameRules(step: ClientStep): FrameRules {
    return {
      bindings: this.bindings,
      ids: this.settings.ids,
      paths: this.#paths,
      behaviourText: step.behaviour && this.stage.behaviourText(step.behaviour),
      onTextReplaced: (recorded, live) => this.#texts.set(recorded, live),
    };
  }

  matchContext(): MatchContext {
    return {
      bundle: this.bundle,
      bindings: this.bindings,
      mode: this.settings.match,
      sent: this.#sent,
      live: (recorded, menu) => this.liveString(recorded, menu),
      isEchoTurn: (turnId) => this.#echoTurns.has(turnId),
      owes: (method, params) => this.owed.inPage(method, params),
      paged: this.#paged,
      diedTurns: this.owed.diedTurns,
      isEphemeral: this.stage.identity?.sessionDurability === 'ephemeral',
      overrides: this.#overrides,
      bindsMinted: this.settings.ids === 'fresh' || this.settings.match === 'conformant',
    };
  }

  liveString(recorded: string, menu?: string): string {
    const bound = this.bindings.liveOf(recorded, menu) ?? this.#texts.get(recorded);
    if (bound !== undefined || this.settings.ids === 'recorded') return bound ?? recorded;
    return this.#paths.live(recorded) ?? recorded;
  }

  /** Ends the drive as not applicable when the target does not name the behaviour. */
  requireBehaviour(step: ClientStep): void {
    const behaviour = step.behaviour as BehaviourName;
    if (this.settings.ids === 'recorded' && this.settings.match === 'exact') return;
    if (this.stage.behaviourText(behaviour) !== undefined) return;
    const reason =
      `line ${step.line} needs a turn of the kind "${behaviour}", and the target does not say which input brings it about; ` +
      `name it with --behaviour ${behaviour}='<text>'`;
    throw new Stopped({ status: 'notApplicable', reason });
  }

  noteSent(step: ClientStep): void {
    if (actsOnUnaskedTurn(step, this)) this.unaskedTurnSessions.add(step.params['sessionId']);
    for (const text of stringsIn(step.params)) this.#sent.add(text);
    const { message } = step.frame;
    if ('method' in message && message.method === 'turn/start' && step.behaviour === 'echo') {
      const turnId = askedTurn(step);
      if (turnId !== undefined) this.#echoTurns.add(turnId);
    }
  }

  awaitOutcome(step: ClientStep, line: string, outcome: Promise<Outcome>): void {
    this.#outcomes.set(step, { line, outcome, sentMs: this.exchange.trace.clock() });
  }

  outcomeOf(step: ClientStep): Sending | undefined {
    return this.#outcomes.get(step);
  }

  bindServerRequest(step: ServerStep, liveId: RequestId): void {
    this.#serverRequests.set(step, liveId);
  }

  takeServerRequest(step: ServerStep): RequestId | undefined {
    return this.#serverRequests.get(step);
  }

  /** The next response without a request that bears the id of the recorded one, when there is one. */
  takeOrphan(step: ServerStep): Frame | undefined {
    const wanted = responseId(step.frame);
    const frame = this.exchange.orphans.find(
      (orphan) => !this.#orphansTaken.has(orphan) && responseId(orphan) === wanted,
    );
    if (frame !== undefined) this.#orphansTaken.add(frame);
    return frame;
  }

  /** The next server frame of any shape, where order matters. */
  nextFrame(): Frame | undefined {
    return this.exchange.inOrder.shift();
  }

  isUsed(event: LiveEvent): boolean {
    return this.#used.has(event);
  }

  /** The event stands for this recorded one from here on, or for none. */
  use(event: LiveEvent, step?: ServerStep): void {
    this.#used.add(event);
    if (step !== undefined) this.#met.add(step);
  }

  hasMet(step: ServerStep): boolean {
    return this.#met.has(step);
  }

  report(id: CheckId, verdict: Verdict): void {
    if (this.settings.judges) this.findings.add(id, this.settings.pass, verdict);
  }

  stop(status: 'notApplicable' | 'failed', reason: string, timedOut = false): never {
    throw new Stopped({ status, reason, timedOut });
  }
}

/** The recorded turn that a turn/start brought about; a steered input joins another's. */
export function askedTurn(step: ClientStep): string | undefined {
  const message = step.response?.frame.message;
  if (step.method !== 'turn/start' || message?.kind !== 'success' || !isRecord(message.result))
    return undefined;
  const { turnId, disposition } = message.result;
  return typeof turnId === 'string' && disposition !== 'steered' ? turnId : undefined;
}

/** The id of a response as a key; undefined where it has none that is legal. */
function responseId({ message }: Frame): string | null | undefined {
  if (message.kind !== 'success' && message.kind !== 'error') return undefined;
  return message.id === null ? null : idKey(message.id);
}

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) yield* stringsIn(inner);
}
