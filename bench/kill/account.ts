import { isDeepStrictEqual } from 'node:util';
import type { Json, Response } from './client.js';

/** One command of the load and what was said of it. */
export interface Sent {
  readonly method: 'turn/start' | 'session/rename';
  readonly params: Json & { readonly commandId: string; readonly sessionId: string };
  /** The first answer; undefined while there is none, for ever when the kill came first. */
  answer?: Response | undefined;
  /** The answer that stands after the restart. */
  settled?: Response | undefined;
}

export interface Figures {
  kills: number;
  sent: number;
  /** Answered before the kill. */
  acknowledged: number;
  /** Of those, settled as abandoned after it: the turn died with its host. */
  abandoned: number;
  /** Acknowledged commands that are unknown after a restart, answer otherwise, or have no effect. */
  lost: number;
  /** Commands with more than one effect. */
  doubled: number;
}

/** Commands and effects of a set of sessions, from the first command to the last page of their views. */
export class Account {
  readonly problems: string[] = [];
  readonly #commands: Sent[] = [];

  constructor(readonly figures: Figures) {}

  note(command: Sent): void {
    this.#commands.push(command);
    this.figures.sent += 1;
  }

  /** What the server says of a command when it is sent again after a restart. */
  replayed(command: Sent, again: Response): void {
    command.settled = again;
    if (command.answer === undefined) return;
    this.figures.acknowledged += 1;
    if (isAbandoned(again) && command.method === 'turn/start') this.figures.abandoned += 1;
    else if (!isDeepStrictEqual(bare(again), bare(command.answer)))
      this.#problem('lost', command, `answered ${text(command.answer)}, and now ${text(again)}`);
  }

  /** Holds the commands to the effects that the views of their sessions show. */
  compare(events: readonly { readonly method: string; readonly params: Json }[]): void {
    const effects = new Map<string, number>();
    for (const { method, params } of events) {
      const key = effectOf(method, params);
      if (key !== undefined) effects.set(key, (effects.get(key) ?? 0) + 1);
    }
    for (const command of this.#commands) {
      const count = effects.get(keyOf(command)) ?? 0;
      if (count > 1) this.#problem('doubled', command, `has ${count} effects`);
      if (count === 0 && command.settled?.result !== undefined)
        this.#problem('lost', command, 'was accepted and has no effect');
    }
  }

  #problem(kind: 'lost' | 'doubled', { method, params }: Sent, what: string): void {
    this.figures[kind] += 1;
    this.problems.push(`${method} ${params.commandId} ${what}`);
  }
}

function keyOf({ method, params }: Sent): string {
  return method === 'turn/start' ? `turn ${params.commandId}` : `name ${String(params['name'])}`;
}

/** Names are used once each, so that an event tells of one command. */
function effectOf(method: string, params: Json): string | undefined {
  if (method === 'turn/started') return `turn ${String(params['commandId'])}`;
  return method === 'session/nameChanged' ? `name ${String(params['name'])}` : undefined;
}

function isAbandoned({ error }: Response): boolean {
  return error?.data?.['reason'] === 'abandoned';
}

function bare({ result, error }: Response) {
  return { result, error };
}

function text(response: Response): string {
  return JSON.stringify(bare(response));
}
