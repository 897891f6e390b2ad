import { checkErrorPair } from '../../schema/error-registry.js';
import { validatorFor } from '../../schema/validate.js';
import { kindOfError, membersOf, type Observation, type Rule, type RuleContext } from './observation.js';
import { reportIssues } from './schema-issues.js';
import type { Verdicts } from './verdicts.js';

/** The error member of the server's error responses: its form, its kind, and the registry. */
export class ErrorForm implements Rule {
  constructor(
    private readonly verdicts: Verdicts,
    private readonly context: RuleContext,
  ) {}

  observe({ at, message, request }: Observation): void {
    if (at.dir === 'client' || message.kind !== 'error') return;
    const { verdicts } = this;
    const error = membersOf(message.error);
    const code = error?.['code'];
    const method = request?.method;
    verdicts.exercise('wire/error-object');
    if (error === undefined || !Number.isInteger(code) || typeof error['message'] !== 'string') {
      verdicts.report('wire/error-object', {
        message: 'The error must be an object with an integer code and a string message.',
        at,
        method,
      });
      return;
    }
    this.observeKind(message.error, at, method);
    const outcome = validatorFor(this.context.bundle).validateErrorObject(error);
    verdicts.exercise('schema/error');
    const withoutKind = outcome.violations.filter(({ path }) => !KIND_PATHS.has(path) || hasKind(error));
    reportIssues(verdicts, 'schema/error', { ...outcome, violations: withoutKind }, { at, method });
    verdicts.exercise('schema/error-pair');
    const pair = checkErrorPair(this.context.bundle, code as number, kindOfError(error));
    if (hasKind(error)) reportIssues(verdicts, 'schema/error-pair', pair, { at, method });
  }

  private observeKind(error: unknown, at: Observation['at'], method: string | undefined): void {
    this.verdicts.exercise('wire/error-kind');
    if (kindOfError(error) !== undefined) return;
    this.verdicts.report('wire/error-kind', {
      message: 'The error has no data.kind; clients branch on it.',
      at,
      method,
    });
  }
}

/** Where the bundle would say once more what wire/error-kind says. */
const KIND_PATHS: ReadonlySet<string> = new Set(['/data', '/data/kind']);

function hasKind(error: unknown): boolean {
  return kindOfError(error) !== undefined;
}
