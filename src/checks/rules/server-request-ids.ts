import type { ConnectionEnd, Observation, Rule } from './observation.js';
import type { Verdicts } from './verdicts.js';

/** Server requests carry rising positive integers; the counter belongs to the process, not to the connection. */
export class ServerRequestIds implements Rule {
  private last = 0;

  constructor(private readonly verdicts: Verdicts) {}

  observe({ at, message }: Observation): void {
    if (at.dir === 'client' || message.kind !== 'request') return;
    this.verdicts.exercise('wire/server-request-id');
    const { id, method } = message;
    const problem = this.problemOf(id);
    if (problem !== undefined)
      this.verdicts.report('wire/server-request-id', { message: problem, at, method });
    if (typeof id === 'number') this.last = Math.max(this.last, id);
  }

  connectionClosed(how: ConnectionEnd): void {
    if (how !== 'reconnect') this.last = 0;
  }

  private problemOf(id: string | number): string | undefined {
    if (typeof id !== 'number' || id < 1)
      return `The id is ${JSON.stringify(id)}; expected a positive integer.`;
    return id > this.last ? undefined : `The id is ${id}, and ${this.last} was used before; ids must rise.`;
  }
}
