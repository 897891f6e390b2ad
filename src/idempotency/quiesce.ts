import { type Exchange, isRecord, type LiveEvent } from '../replay/exchange.js';
import type { LiveCommand } from '../replay/drive-context.js';
import { startedTurn } from './effects.js';

/**
 * Waits until no turn that the commands asked for is running or queued any more. True when all are over; false when
 * one waits for a person (an open approval or prompt) or outlasts the time limit.
 */
export async function quiesce(exchange: Exchange, commands: readonly LiveCommand[]): Promise<boolean> {
  const turns = commands.flatMap((command) => startedTurn(command) ?? []);
  const settled = await exchange.until(() => {
    const open = turns.filter((turn) => !isOver(turn, exchange.events));
    if (open.length === 0) return { isQuiet: true };
    return hasOpenPrompt(exchange.events) ? { isQuiet: false } : undefined;
  });
  return 'value' in settled && settled.value.isQuiet;
}

const ENDS: ReadonlySet<string> = new Set(['turn/completed', 'turn/unqueued']);

function isOver(turnId: string, events: readonly LiveEvent[]): boolean {
  return events.some((event) => ENDS.has(event.method) && event.params['turnId'] === turnId);
}

/** An approval or prompt that has been asked for and not been settled. */
export function hasOpenPrompt(events: readonly LiveEvent[]): boolean {
  const open = new Set<unknown>();
  for (const { method, params } of events) {
    const id = params['approvalId'] ?? params['userInputId'];
    if (method.endsWith('/request') || method.endsWith('/requested')) open.add(id);
    if (method === 'approval/resolved' || method === 'userInput/settled') open.delete(id);
    if (method === 'turn/completed') forgetTurn(open, events, params['turnId']);
  }
  return open.size > 0;
}

/** A turn's end closes its prompts, whether or not that is announced. */
function forgetTurn(open: Set<unknown>, events: readonly LiveEvent[], turnId: unknown): void {
  for (const { params } of events) {
    if (isRecord(params) && params['turnId'] === turnId) open.delete(params['approvalId'] ?? params['userInputId']);
  }
}
