import { derivedId } from '../ids.js';
import { appendText, completeItem, openItem, openStreamedItem, updateItem } from '../items.js';
import type { JsonObject } from '../json.js';
import {
  type ApprovalSubject,
  openApproval,
  policyVerdict,
  presentApproval,
  resolveApproval,
} from '../prompts/approval.js';
import { openUserInput } from '../prompts/user-input.js';
import type { Run } from '../run.js';
import type { Session } from '../session.js';
import { wordsIn } from '../token-usage.js';
import type { Reply, Wait } from './script.js';

/** How much of a message goes out at once, and in how many pieces at most. */
const DELTA_CHARACTERS = 40;
const MOST_DELTAS = 50;

/** What a script can do in its turn. */
export class Stage {
  constructor(
    readonly session: Session,
    readonly run: Run,
    /** The tool call of a turn that is taken up where an earlier host left it. */
    readonly reopenedItem: string | undefined,
  ) {}

  /** What the user submitted. */
  get text(): string {
    return this.run.submission.text;
  }

  /** A whole message of the agent, in a few deltas. */
  say(text: string): void {
    const message = this.openMessage();
    for (const piece of pieces(text)) this.append(message, piece);
    this.closeMessage(message);
  }

  openMessage(): string {
    const itemId = openStreamedItem(this.session, {
      kind: 'agentMessage',
      turnId: this.run.turnId,
      text: '',
    });
    this.run.foreground.add(itemId);
    return itemId;
  }

  append(message: string, text: string): void {
    this.run.firstTokenMs ??= this.session.host.clock.now();
    this.run.outputTokens += wordsIn(text);
    appendText(this.session, message, 'text', text);
  }

  closeMessage(message: string): void {
    completeItem(this.session, message, 'completed');
  }

  openTool(tool: string, args: JsonObject): string {
    const itemId = this.session.host.ids.next();
    const callId = `call_${itemId.slice(-8)}`;
    openItem(
      this.session,
      { kind: 'toolCall', turnId: this.run.turnId, tool, callId, args: JSON.stringify(args) },
      itemId,
    );
    this.run.foreground.add(itemId);
    return itemId;
  }

  closeTool(itemId: string, status: string, output: string, changes: JsonObject = {}): void {
    appendText(this.session, itemId, 'output', output);
    const visibleOutput = this.session.state.items.get(itemId)?.['visibleOutput'] ?? '';
    completeItem(this.session, itemId, status, { visibleOutput, ...changes });
  }

  fail(message: string): void {
    this.run.failure = { reason: message, error: { kind: 'modelError', message, retryable: true } };
  }

  /** Asks for leave to run a command, and waits for it where the policy has no answer. */
  *ask(subject: ApprovalSubject): Generator<Wait, string, Reply | undefined> {
    const verdict = policyVerdict(this.session, subject);
    if (verdict === 'deny' || (verdict === 'allow' && this.session.state.approvalMode.mode === 'allowAll')) {
      return verdict === 'deny' ? 'denied' : 'approved';
    }
    const approvalId = this.#approvalId(subject.itemId);
    updateItem(this.session, subject.itemId, { approvalId });
    openApproval(this.session, subject, approvalId);
    if (verdict === 'allow') {
      const request = this.session.state.approvals.get(approvalId)?.request ?? {};
      resolveApproval(this.session, request, { decision: 'approved', resolvedBy: 'policy' });
      return 'approved';
    }
    presentApproval(this.session, approvalId);
    return (yield { for: 'approval', id: approvalId })?.['decision'] as string;
  }

  /** Puts questions to the user and waits for what becomes of them. */
  *question(itemId: string, questions: readonly JsonObject[], autoResolutionMs?: number) {
    const userInputId = this.session.host.ids.next();
    const { turnId } = this.run;
    openUserInput(
      this.session,
      { turnId, itemId, questions, ...(autoResolutionMs !== undefined && { autoResolutionMs }) },
      userInputId,
    );
    const wait: Wait = { for: 'userInput', id: userInputId };
    return (yield autoResolutionMs === undefined ? wait : { ...wait, ms: autoResolutionMs }) as
      | Reply
      | undefined;
  }

  /** A request that follows one which died with its host has an id that follows from that one's. */
  #approvalId(itemId: string): string {
    const before = this.session.state.items.get(itemId)?.['approvalId'];
    return typeof before === 'string' ? derivedId(before, 'reopened') : this.session.host.ids.next();
  }
}

function pieces(text: string): string[] {
  const characters = [...text];
  const size = Math.max(DELTA_CHARACTERS, Math.ceil(characters.length / MOST_DELTAS));
  const cut: string[] = [];
  for (let at = 0; at < characters.length; at += size) cut.push(characters.slice(at, at + size).join(''));
  return cut;
}
