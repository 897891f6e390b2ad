import type { LiveCommand } from './drive-context.js';
import { type Answer, isRecord } from './exchange.js';
import type { ClientStep } from './script.js';

/** The command that a client step was in this run, read from the line that was sent; undefined for other requests. */
export function asCommand(
  step: ClientStep,
  line: string,
  answer: Answer,
  sentMs: number,
): LiveCommand | undefined {
  if (!step.isCommand || step.method === undefined) return undefined;
  const params = paramsOfLine(line);
  const commandId = params['commandId'];
  if (typeof commandId !== 'string') return undefined;
  const sessionId = typeof params['sessionId'] === 'string' ? params['sessionId'] : undefined;
  return { step, method: step.method, line, commandId, sessionId, answer, sentMs };
}

export function paramsOfLine(line: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(line);
  return isRecord(value) && isRecord(value['params']) ? value['params'] : {};
}
