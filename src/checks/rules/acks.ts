import { isUuidV7 } from '../../wire/uuid-v7.js';
import {
  type JsonMembers,
  membersOf,
  type Observation,
  type ObservedFrame,
  type OpenRequest,
  type Rule,
  type RuleContext,
  textMember,
} from './observation.js';
import type { Verdicts } from './verdicts.js';

/** What the ack of a command says: its id, its status, and for a submit the turn. */
export class Acks implements Rule {
  constructor(
    private readonly verdicts: Verdicts,
    private readonly context: RuleContext,
  ) {}

  observe({ at, message, request }: Observation): void {
    if (at.dir === 'client' || message.kind !== 'success' || request === undefined || request.ambiguous)
      return;
    if (!this.context.bundle.isCommand(request.method)) return;
    const ack = membersOf(message.result) ?? {};
    this.observeCommandId(request, ack, at);
    this.observeStatus(request, ack, at);
    if (request.method === 'turn/start') this.observeSubmit(request, ack, at);
  }

  private observeCommandId({ method, params }: OpenRequest, ack: JsonMembers, at: ObservedFrame): void {
    const commandId = params?.['commandId'];
    this.verdicts.exercise('idempotency/missing-command-id');
    this.verdicts.exercise('idempotency/malformed-command-id');
    if (commandId === undefined) {
      this.tell('idempotency/missing-command-id', `${method} without commandId was accepted.`, at, method);
      return;
    }
    if (typeof commandId !== 'string' || !isUuidV7(commandId))
      this.tell(
        'idempotency/malformed-command-id',
        `${method} was accepted with commandId ${JSON.stringify(commandId)}, which is no UUIDv7.`,
        at,
        method,
      );
    if (!Object.hasOwn(ack, 'commandId')) return;
    this.verdicts.exercise('idempotency/ack-echoes-command-id');
    if (ack['commandId'] !== commandId)
      this.tell(
        'idempotency/ack-echoes-command-id',
        `The ack has commandId ${JSON.stringify(ack['commandId'])}; the command’s was ${JSON.stringify(commandId)}.`,
        at,
        method,
      );
  }

  private observeStatus({ method }: OpenRequest, ack: JsonMembers, at: ObservedFrame): void {
    // Lifecycle results have shapes of their own, without an ack's two members.
    const isAck = this.context.bundle.resultRoot(method)?.schema.properties?.['commandId'] !== undefined;
    const status = ack['status'];
    if (!isAck || typeof status !== 'string') return;
    this.verdicts.exercise('turn/ack-status');
    if (status === 'accepted' || (status === 'noop' && method === 'session/compact')) return;
    this.tell('turn/ack-status', `The ack of ${method} has status ${JSON.stringify(status)}.`, at, method);
  }

  private observeSubmit({ method, params }: OpenRequest, ack: JsonMembers, at: ObservedFrame): void {
    const { disposition, startedNewTurn } = ack;
    if (typeof disposition === 'string' && typeof startedNewTurn === 'boolean') {
      this.verdicts.exercise('turn/ack-disposition');
      if (startedNewTurn !== (disposition === 'started'))
        this.verdicts.report(
          'turn/ack-disposition',
          { message: `disposition is ${disposition} and startedNewTurn is ${startedNewTurn}.`, at, method },
          // What replacing a running turn is called is not documented.
          KNOWN_DISPOSITIONS.has(disposition) ? 'violation' : 'warning',
        );
    }
    const turnId = textMember(ack, 'turnId');
    if (disposition !== 'started' || turnId === undefined) return;
    this.verdicts.exercise('idempotency/turn-id-is-command-id');
    if (turnId !== params?.['commandId'])
      this.tell(
        'idempotency/turn-id-is-command-id',
        `The fresh turn’s id is ${turnId}; the command’s is ${JSON.stringify(params?.['commandId'])}.`,
        at,
        method,
      );
  }

  private tell(
    id: Parameters<Verdicts['report']>[0],
    message: string,
    at: ObservedFrame,
    method: string,
  ): void {
    this.verdicts.report(id, { message, at, method });
  }
}

const KNOWN_DISPOSITIONS: ReadonlySet<string> = new Set(['started', 'queued', 'steered']);
