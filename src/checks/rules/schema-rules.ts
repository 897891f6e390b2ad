import { validatorFor } from '../../schema/validate.js';
import type { CheckId } from '../catalogue.js';
import {
  type JsonMembers,
  kindOfError,
  type Observation,
  type Rule,
  type RuleContext,
} from './observation.js';
import { reportIssues } from './schema-issues.js';
import type { Verdicts } from './verdicts.js';

/** The content of frames against the bundle: results, notifications, server requests, and recorded client frames. */
export class SchemaRules implements Rule {
  private readonly validator;

  constructor(
    private readonly verdicts: Verdicts,
    private readonly context: RuleContext,
  ) {
    this.validator = validatorFor(context.bundle);
  }

  observe(observation: Observation): void {
    if (observation.at.dir === 'server') this.observeServer(observation);
    else if (!this.context.live) this.observeClient(observation);
  }

  private observeServer({ at, message, request }: Observation): void {
    const { bundle } = this.context;
    if (message.kind === 'notification') {
      if (!bundle.notifications.has(message.method)) {
        const told = `${message.method} is not in the bundle`;
        this.verdicts.report('tolerance/unknown-notification', { message: told, at, method: message.method });
        return;
      }
      const outcome = this.validator.validateNotification(message.method, message.params);
      this.judge('schema/notification', outcome, at, message.method);
    } else if (message.kind === 'request') {
      this.observeServerRequest(message.method, message.params, at);
    } else if (message.kind === 'success' && request !== undefined && !request.ambiguous) {
      this.observeAnswer(request.method, request.params, message.result, request.at, at);
    } else if (message.kind === 'error' && request !== undefined && !request.ambiguous) {
      this.observeRefusal(request.method, request.params, message.error, at);
    }
  }

  private observeServerRequest(method: string, params: unknown, at: Observation['at']): void {
    if (this.context.bundle.requests.has(method)) {
      this.judge('schema/server-request', this.validator.validateServerRequest(method, params), at, method);
      return;
    }
    // A newer server may ask something new; the documents do not say that it may, nor that it may not.
    const message = `The bundle names no server request ${method}; a client could only refuse it.`;
    this.verdicts.report('schema/server-request', { message, at, method }, 'warning');
  }

  private observeAnswer(
    method: string,
    params: JsonMembers | undefined,
    result: unknown,
    asked: Observation['at'],
    at: Observation['at'],
  ): void {
    if (!this.context.bundle.methods.has(method)) {
      const message = `The server answered ${method}, which is not in the bundle.`;
      this.verdicts.report('tolerance/unknown-method', { message, at, method });
      return;
    }
    // What is no object is told by wire/result-is-object.
    if (typeof result === 'object' && result !== null && !Array.isArray(result))
      this.judge('schema/result', this.validator.validateResult(method, result), at, method);
    const outcome = this.validator.validateParams(method, params);
    if (outcome.notes.some(({ rule }) => rule === 'unknownMember'))
      this.verdicts.exercise('tolerance/unknown-member-accepted');
    // A recorded request that the server refused may be wrong on purpose.
    if (!this.context.live) this.judge('schema/params', { ...outcome, notes: [] }, asked, method);
  }

  private observeRefusal(
    method: string,
    params: JsonMembers | undefined,
    error: unknown,
    at: Observation['at'],
  ): void {
    if (kindOfError(error) !== 'invalidParams' || !this.context.bundle.methods.has(method)) return;
    const { violations, notes } = this.validator.validateParams(method, params);
    const unknown = notes.filter(({ rule }) => rule === 'unknownMember').map(({ path }) => path);
    const documented = DOCUMENTED_REFUSALS[method];
    if (violations.length > 0 || unknown.length === 0 || unknown.some((path) => path === documented)) return;
    this.verdicts.report('tolerance/unknown-member-accepted', {
      message: `The request fits the bundle but for ${unknown.join(', ')}, which it does not know, and was refused as invalidParams. Unknown members are to be ignored.`,
      at,
      method,
    });
  }

  private observeClient({ at, message, request }: Observation): void {
    if (message.kind === 'notification' && this.context.bundle.notifications.has(message.method)) {
      const outcome = this.validator.validateNotification(message.method, message.params);
      this.judge('schema/params', { ...outcome, notes: [] }, at, message.method);
    }
    if (message.kind !== 'success' || request === undefined || request.ambiguous) return;
    if (!this.context.bundle.requests.has(request.method)) return;
    const outcome = this.validator.validateReceipt(request.method, message.result);
    this.judge('schema/receipt', outcome, at, request.method);
  }

  private judge(
    id: CheckId,
    outcome: Parameters<typeof reportIssues>[2],
    at: Observation['at'],
    method: string,
  ): void {
    this.verdicts.exercise(id);
    reportIssues(this.verdicts, id, outcome, { at, method });
  }
}

/** Members that a server refuses although the method does not define them (MSP conformance; goal commands). */
const DOCUMENTED_REFUSALS: Readonly<Record<string, string>> = { 'goal/clear': '/objective' };
