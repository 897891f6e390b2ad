import { isLarger } from './frame-bytes.js';
import type { ConnectionEnd, Observation, ObservedFrame, Rule, RuleContext } from './observation.js';
import type { Verdicts } from './verdicts.js';

/** A frame that is unreadable or too large does not end the connection. */
export class Survival implements Rule {
  private badFrame: ObservedFrame | undefined;
  private afterwards = new WeakSet<ObservedFrame>();

  constructor(
    private readonly verdicts: Verdicts,
    private readonly context: RuleContext,
  ) {}

  observe({ at, message, request }: Observation): void {
    if (at.dir === 'client') {
      const isBad = message.kind === 'invalid' || isLarger(at.frame.raw, this.context.frameLimitBytes);
      if (isBad) this.badFrame ??= at;
      else if (this.badFrame !== undefined) this.afterwards.add(at);
      return;
    }
    if (request === undefined || !this.afterwards.has(request.at)) return;
    this.verdicts.exercise('wire/connection-survives');
    this.forget();
  }

  connectionClosed(how: ConnectionEnd): void {
    if (how === 'server-closed' && this.badFrame !== undefined)
      this.verdicts.report('wire/connection-survives', {
        message:
          'The server ended the connection after a frame that it could not read, and served none after it.',
        at: this.badFrame,
      });
    this.forget();
  }

  private forget(): void {
    this.badFrame = undefined;
    this.afterwards = new WeakSet();
  }
}
