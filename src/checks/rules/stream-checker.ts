import type { StreamFault } from '../../wire/stream-fault.js';
import type { Finding, PassName } from '../finding.js';
import { Acks } from './acks.js';
import { CommandLedger } from './command-ledger.js';
import { Conversation } from './conversation.js';
import { Cursors } from './cursors.js';
import { Deltas } from './deltas.js';
import { ErrorForm } from './error-form.js';
import { FrameBytes, isLarger } from './frame-bytes.js';
import { FrameForm } from './frame-form.js';
import { Gates } from './gates.js';
import { Handshake } from './handshake.js';
import { History } from './history.js';
import { Items } from './items.js';
import {
  type ConnectionEnd,
  membersOf,
  type Observation,
  type ObservedFrame,
  type OpenRequest,
  type Rule,
  type RuleContext,
  textMember,
} from './observation.js';
import { Pages } from './pages.js';
import { ResponseIds } from './response-ids.js';
import { SchemaRules } from './schema-rules.js';
import { ServerRequestIds } from './server-request-ids.js';
import { SessionViews, SUBSCRIBING_METHODS } from './session-view.js';
import { Survival } from './survival.js';
import { Turns } from './turns.js';
import { type CheckOutcome, Verdicts } from './verdicts.js';

/**
 * Every rule that needs no server of its own, over the frames of one connection, or of several that follow one
 * another. Memory does not grow with the length of the stream.
 */
export class StreamChecker {
  private readonly verdicts: Verdicts;
  private readonly views = new SessionViews();
  private readonly responseIds: ResponseIds;
  private readonly frameBytes: FrameBytes;
  private readonly rules: readonly Rule[];
  private clientAsks = new Conversation();
  private serverAsks = new Conversation();
  private isOpen = false;

  constructor(private readonly context: RuleContext) {
    const verdicts = new Verdicts(context.tolerant, context.pass);
    const handshake = new Handshake(verdicts, context);
    this.verdicts = verdicts;
    this.responseIds = new ResponseIds(verdicts, context);
    this.frameBytes = new FrameBytes(verdicts, context);
    this.rules = [
      new FrameForm(verdicts),
      this.frameBytes,
      new ErrorForm(verdicts, context),
      new ServerRequestIds(verdicts),
      new Survival(verdicts, context),
      handshake,
      new Gates(verdicts, context, handshake),
      new SchemaRules(verdicts, context),
      new Cursors(verdicts, this.views),
      new Pages(verdicts, this.views, handshake),
      new Items(verdicts),
      new Deltas(verdicts),
      new Turns(verdicts),
      new History(verdicts),
      new Acks(verdicts, context),
      // Live, the harness replays commands on purpose, in ways that the documents leave open too: its passes judge them.
      ...(context.live ? [] : [new CommandLedger(verdicts, context)]),
    ];
  }

  /** What is seen from now on is attributed to this pass. */
  enter(pass: PassName): void {
    this.verdicts.enter(pass);
  }

  /** Frames in the order in which the client's side wrote and read them. */
  observe(frame: ObservedFrame): void {
    this.isOpen = true;
    this.verdicts.recent.add(frame);
    const observation = frame.dir === 'client' ? this.fromClient(frame) : this.fromServer(frame);
    for (const rule of this.rules) rule.observe(observation);
  }

  /** Something came that is no frame. */
  connectionFault(fault: StreamFault): void {
    this.isOpen = true;
    this.frameBytes.observeFault(fault);
  }

  /** The connection ended. Frames that follow belong to the next one. */
  connectionClosed(how: ConnectionEnd): void {
    this.isOpen = false;
    this.responseIds.connectionClosed(how, this.clientAsks);
    for (const rule of this.rules) rule.connectionClosed?.(how);
    this.clientAsks = new Conversation();
    this.serverAsks = new Conversation();
    if (how === 'reconnect') this.views.disconnect();
    else this.views.clear();
  }

  /**
   * One finding for each check that had something to look at. A connection that is still open counts as recorded to
   * its end, live as abandoned.
   */
  finish(): readonly Finding[] {
    this.close();
    return this.verdicts.findings();
  }

  /** As `finish`, with every occurrence on its own. */
  outcomes(): readonly CheckOutcome[] {
    this.close();
    return this.verdicts.all();
  }

  private close(): void {
    if (this.isOpen) this.connectionClosed(this.context.live ? 'abandoned' : 'end-of-transcript');
  }

  private fromClient(at: ObservedFrame): Observation {
    const { message } = at.frame;
    if (isLarger(at.frame.raw, this.context.frameLimitBytes)) this.responseIds.noteUnreadable();
    if (message.kind === 'request') {
      this.noteSubscription(this.clientAsks.ask(message, at), 'asked', undefined);
    } else if (message.kind === 'success' || message.kind === 'error') {
      const settlement =
        message.id === null ? { kind: 'unasked' as const } : this.serverAsks.settle(message.id);
      if (settlement.kind === 'answer') return { at, message, request: settlement.request, view: undefined };
      this.responseIds.noteUnreadable();
    } else if (message.kind === 'invalid' || message.method !== 'initialized') {
      // Empty lines are ignored; what else cannot be placed may draw an error, or not.
      if (at.frame.raw !== '' && at.frame.raw !== '\r') this.responseIds.noteUnreadable();
    }
    return { at, message, request: undefined, view: undefined };
  }

  private fromServer(at: ObservedFrame): Observation {
    const { message } = at.frame;
    if (message.kind === 'request') this.serverAsks.ask(message, at);
    const view = message.kind === 'notification' ? this.views.note(message, at) : undefined;
    const request = message.kind === 'notification' ? undefined : this.settled(at);
    return { at, message, request, view };
  }

  /** The request that a server frame answers, when that is certain. */
  private settled(at: ObservedFrame): OpenRequest | undefined {
    const { message } = at.frame;
    const id = idOfAnswer(at);
    if (id === undefined) return undefined;
    if (id === null) {
      if (message.kind === 'error') this.responseIds.observeNullId(message.error, at);
      return undefined;
    }
    const settlement = this.clientAsks.settle(id);
    this.responseIds.observeSettlement(settlement, at);
    if (settlement.kind !== 'answer' && settlement.kind !== 'wrong-type') return undefined;
    const { request } = settlement;
    if (message.kind === 'success') this.noteSubscription(request, 'answered', message.result);
    return request;
  }

  private noteSubscription(request: OpenRequest, phase: 'asked' | 'answered', result: unknown): void {
    if (!SUBSCRIBING_METHODS.has(request.method)) return;
    const named = request.method === 'session/fork' ? undefined : textMember(request.params, 'sessionId');
    const sessionId = named ?? textMember(membersOf(membersOf(result)?.['session']), 'sessionId');
    if (sessionId !== undefined) this.views.noteRequest(request, phase, sessionId);
  }
}

/** The id of a response, read as well from one that is not well formed, so that its request counts as answered. */
function idOfAnswer({ frame }: ObservedFrame): string | number | null | undefined {
  const { message } = frame;
  if (message.kind === 'success' || message.kind === 'error') return message.id;
  if (message.kind !== 'invalid') return undefined;
  const members = membersOf(frame.value);
  const isAnswer = members !== undefined && !Object.hasOwn(members, 'method');
  const id = message.id;
  return isAnswer && (typeof id === 'string' || Number.isSafeInteger(id))
    ? (id as string | number)
    : undefined;
}
