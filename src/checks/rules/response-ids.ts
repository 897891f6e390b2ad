import type { Conversation, Settlement } from './conversation.js';
import { isLarger } from './frame-bytes.js';
import {
  type ConnectionEnd,
  membersOf,
  type ObservedFrame,
  type OpenRequest,
  type RuleContext,
} from './observation.js';
import type { Verdicts } from './verdicts.js';

/** Endings after which a request without an answer is the server's fault. */
const CONCLUSIVE: ReadonlySet<ConnectionEnd> = new Set([
  'drained',
  'settled',
  'end-of-transcript',
  'restart',
]);

/** Every client request is answered once, under its own id. */
export class ResponseIds {
  /** Client frames that may draw an error without an id. */
  private unreadable = 0;

  constructor(
    private readonly verdicts: Verdicts,
    private readonly context: RuleContext,
  ) {}

  /** A client frame that the server may be unable to read or to place. */
  noteUnreadable(): void {
    this.unreadable += 1;
  }

  observeSettlement(settlement: Settlement, at: ObservedFrame): void {
    this.verdicts.exercise('wire/response-id');
    this.verdicts.exercise('wire/answered-once');
    if (settlement.kind === 'answer') return;
    const id = JSON.stringify(membersOf(at.frame.value)?.['id']);
    if (settlement.kind === 'second-answer')
      this.verdicts.report('wire/answered-once', { message: `Request ${id} was answered before.`, at });
    if (settlement.kind === 'wrong-type')
      this.verdicts.report('wire/response-id', {
        message: `The answer has id ${id}; the request’s was ${JSON.stringify(settlement.request.id)}. The JSON type must be kept.`,
        at,
        method: settlement.request.method,
      });
    if (settlement.kind === 'unasked' && this.unreadable === 0)
      this.verdicts.report('wire/response-id', { message: `Nobody asked a request with id ${id}.`, at });
  }

  /** An error whose id is null. */
  observeNullId(error: unknown, at: ObservedFrame): void {
    this.verdicts.exercise('wire/null-id');
    const code = membersOf(error)?.['code'];
    const isExplained = this.unreadable > 0 && (code === -32700 || code === -32600);
    if (isExplained) {
      this.unreadable -= 1;
      return;
    }
    this.verdicts.report('wire/null-id', {
      message: `An error with code ${JSON.stringify(code)} has a null id, and ${this.unreadable > 0 ? 'is neither a parse error nor an invalid request' : 'every frame before it had a readable id'}.`,
      at,
    });
  }

  connectionClosed(how: ConnectionEnd, conversation: Conversation): void {
    this.unreadable = 0;
    if (!CONCLUSIVE.has(how)) return;
    this.verdicts.exercise('wire/request-answered');
    for (const request of conversation.unanswered()) {
      if (isLarger(request.at.frame.raw, this.context.frameLimitBytes)) continue;
      this.reportUnanswered(request);
    }
  }

  private reportUnanswered({ id, method, at, ambiguous }: OpenRequest): void {
    const message = `Request ${JSON.stringify(id)} (${method}) was never answered.`;
    // Two requests in flight under one id are the client's fault; what a server owes then is left open.
    this.verdicts.report(
      'wire/request-answered',
      { message, at, method },
      ambiguous ? 'warning' : 'violation',
    );
  }
}
