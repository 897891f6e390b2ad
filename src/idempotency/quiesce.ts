import type { LiveCommand } from '../replay/drive-context.js';
import { type Exchange, isRecord, type LiveEvent } from '../replay/exchange.js';
import { startedTurn } from './effects.js';

/** Turns that are not over although nothing more is waited for; what happens in them is no effect of a replay. */
export type OpenTurns = ReadonlySet<string>;

/**
 * Waits until no turn that the commands asked for, and none that has been seen to start, is running or queued any
 * more, and names those that are: they wait for a person (an open approval or prompt), or outlast the time limit.
 */
export async function quiesce(exchange: Exchange, commands: readonly LiveCommand[]): Promise<OpenTurns> {
  // A goal at work may start turn after turn: the ones of now are waited for, not those that follow.
  const turns = new Set([
    ...commands.flatMap((command) => startedTurn(command) ?? []),
    ...startedTurns(exchange.events),
  ]);
  const stillOpen = () => new Set([...turns].filter((turn) => !isOver(turn, exchange.events)));
  await exchange.until(() => (stillOpen().size === 0 || hasOpenPrompt(exchange.events) ? true : undefined));
  return stillOpen();
}

function startedTurns(events: readonly LiveEvent[]): string[] {
  return events.flatMap(({ method, params }) =>
    method === 'turn/started' ? [String(params['turnId'])] : [],
  );
}

const ENDS: ReadonlySet<string> = new Set(['turn/completed', 'turn/unqueued']);

/** True for the event that ends a turn, whether it ran or not. */
export function isTurnEnd({ method, params }: Pick<LiveEvent, 'method' | 'params'>, turnId: string): boolean {
  return ENDS.has(method) && params['turnId'] === turnId;
}

function isOver(turnId: string, events: readonly LiveEvent[]): boolean {
  return events.some((event) => isTurnEnd(event, turnId));
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
    if (isRecord(params) && params['turnId'] === turnId)
      open.delete(params['approvalId'] ?? params['userInputId']);
  }
}
