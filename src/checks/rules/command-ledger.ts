import { compareExact } from '../../wire/compare.js';
import type { ExactJson, ExactObject } from '../../wire/exact-json.js';
import { BoundedMap } from './bounded-map.js';
import {
  type ConnectionEnd,
  kindOfError,
  membersOf,
  type Observation,
  type ObservedFrame,
  type OpenRequest,
  type Rule,
  type RuleContext,
  textMember,
} from './observation.js';
import { type Payload, payloadOf } from './payload.js';
import { judgeReplay, type LedgerEntry, type ReplayVerdict } from './replay-verdict.js';
import type { Verdicts } from './verdicts.js';

/** Commands that are remembered; a replay of an older one is not recognised. */
const COMMANDS_REMEMBERED = 8192;
/** Longest answer kept whole, to compare with that of a replay. */
const ANSWER_CHARACTERS = 8192;

/** The identity of commands within a stream: the same id and payload, the same answer; another payload, a conflict. */
export class CommandLedger implements Rule {
  private readonly entries = new BoundedMap<string, LedgerEntry>(COMMANDS_REMEMBERED);
  private life = 0;
  private lastEnd: 'restart' | 'crash' = 'restart';
  private durability = 'durable';

  constructor(
    private readonly verdicts: Verdicts,
    private readonly context: RuleContext,
  ) {}

  observe({ at, message, request }: Observation): void {
    if (at.dir === 'client' || request === undefined || request.ambiguous) return;
    if (message.kind !== 'success' && message.kind !== 'error') return;
    if (request.method === 'initialize' && message.kind === 'success')
      this.durability = textMember(membersOf(message.result), 'sessionDurability') ?? 'durable';
    const commandId = textMember(request.params, 'commandId');
    if (commandId === undefined || !this.context.bundle.isCommand(request.method)) return;
    this.observeAnswer(commandId, request, message.kind, at);
  }

  connectionClosed(how: ConnectionEnd): void {
    if (how === 'reconnect') return;
    // What an ephemeral host knew is gone with it, and an unknown durability promises nothing.
    if (this.durability !== 'durable' || (how !== 'restart' && how !== 'crash')) this.entries.clear();
    else this.lastEnd = how;
    this.life += 1;
  }

  private observeAnswer(
    commandId: string,
    request: OpenRequest,
    kind: 'success' | 'error',
    at: ObservedFrame,
  ): void {
    const params = memberOf(request.at.frame.exact?.value, 'params');
    const answer = memberOf(at.frame.exact?.value, kind === 'success' ? 'result' : 'error');
    if (params === undefined || answer === undefined) return;
    const error = kind === 'error' ? membersOf(at.frame.value)?.['error'] : undefined;
    const payload = payloadOf(this.context.bundle, request.method, params);
    const entry = this.entries.get(commandId);
    const reason = textMember(membersOf(membersOf(error)?.['data']), 'reason');
    const isRejection = kindOfError(error) === 'commandRejected';
    if (entry === undefined) {
      const settles = kind === 'success' || (isRejection && reason !== 'command_id_conflict');
      if (settles) this.entries.set(commandId, this.newEntry(request, payload, kind, answer, at));
      return;
    }
    const verdict = judgeReplay(entry, {
      method: request.method,
      sessionId: textMember(request.params, 'sessionId'),
      payload,
      kind,
      errorKind: kindOfError(error),
      reason,
      differences: entry.answer === undefined ? [] : compareExact(entry.answer, answer),
      isSameLife: entry.life === this.life,
      lastEnd: this.lastEnd,
    });
    this.tell(verdict, entry, request, at);
    // From the first settlement after a crash on, that answer is the one to repeat.
    if (verdict.settlesAnew)
      this.entries.set(commandId, this.newEntry(request, entry.payload, kind, answer, at));
  }

  private newEntry(
    request: OpenRequest,
    payload: Payload,
    kind: 'success' | 'error',
    answer: ExactJson,
    at: ObservedFrame,
  ): LedgerEntry {
    return {
      method: request.method,
      sessionId: textMember(request.params, 'sessionId'),
      payload,
      kind,
      answer: at.frame.raw.length <= ANSWER_CHARACTERS ? answer : undefined,
      disposition: textMember(membersOf(membersOf(at.frame.value)?.['result']), 'disposition'),
      step: at.step,
      life: this.life,
    };
  }

  private tell(verdict: ReplayVerdict, entry: LedgerEntry, request: OpenRequest, at: ObservedFrame): void {
    // Live, the derived replays probe on purpose what is left open, and tell of it themselves.
    if (this.context.live && verdict.problem?.id.startsWith('idempotency/unspecified-')) return;
    for (const id of verdict.exercised) this.verdicts.exercise(id);
    if (verdict.problem === undefined) return;
    const { id, message, weight, differences } = verdict.problem;
    const first = entry.step === undefined ? '' : ` The command was first answered on line ${entry.step}.`;
    this.verdicts.report(
      id,
      { message: `${message}${first}`, at, method: request.method, differences },
      weight,
    );
  }
}

function memberOf(value: ExactJson | undefined, name: string): ExactJson | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
    return undefined;
  return (value as ExactObject)[name];
}
