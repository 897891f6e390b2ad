import type { JsonObject } from '../json.js';

/** What a script waits for. With `ms` it goes on by itself after that time. */
export interface Wait {
  readonly for: 'time' | 'approval' | 'userInput' | 'task';
  /** The approval, prompt or item that it waits for. */
  readonly id?: string;
  readonly ms?: number;
}

/** What came of it; undefined when the time was over. */
export type Reply = JsonObject;

/** A turn as a script: it acts until it has to wait, and is handed what it waited for. */
export type Script = Generator<Wait, void, Reply | undefined>;
