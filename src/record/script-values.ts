import { v7 as mintUuid } from 'uuid';
import type { Frame, RequestId } from '../wire/frame.js';
import { valueAt } from '../wire/pointer.js';

/**
 * The values that a script's placeholders stand for: `{{2.result.session.sessionId}}` the answer to request 2,
 * `{{event:turn/started.params.turnId}}` the first such frame of the server (`turn/started#2` the second),
 * `{{new:NAME}}` a UUIDv7 minted once for each name, `{{workspace}}` the run's workspace folder.
 */
export class ScriptValues {
  readonly #answers = new Map<string, unknown>();
  readonly #events = new Map<string, unknown[]>();
  readonly #minted = new Map<string, string>();

  constructor(private readonly workspace: string) {}

  noteAnswer(id: RequestId, frame: Frame): void {
    this.#answers.set(String(id), frame.value);
  }

  noteCall(method: string, frame: Frame): void {
    this.#events.set(method, [...(this.#events.get(method) ?? []), frame.value]);
  }

  /**
   * The text with its placeholders filled. One that is a whole string takes the value's type, one within a string is
   * text. Throws `UnknownPlaceholder`.
   */
  fill(text: string): string {
    return text
      .replace(WHOLE, (_, name: string) => JSON.stringify(this.#valueOf(name)))
      .replace(WITHIN, (_, name: string) => JSON.stringify(String(this.#valueOf(name))).slice(1, -1));
  }

  #valueOf(name: string): unknown {
    if (name === 'workspace') return this.workspace;
    if (name.startsWith('new:')) return this.#mint(name);
    const [root, path] = this.#rooted(name);
    const value = valueAt(root, path);
    if (value === undefined) throw new UnknownPlaceholder(name);
    return value;
  }

  #mint(name: string): string {
    const minted = this.#minted.get(name) ?? mintUuid();
    this.#minted.set(name, minted);
    return minted;
  }

  #rooted(name: string): [unknown, string[]] {
    const event = EVENT.exec(name);
    if (event !== null) {
      const [, method = '', ordinal = '1', path = ''] = event;
      return [this.#events.get(method)?.[Number(ordinal) - 1], path.split('.')];
    }
    const [id = '', ...path] = name.split('.');
    return [this.#answers.get(id), path];
  }
}

/** A placeholder for something that has not been received. */
export class UnknownPlaceholder extends Error {
  constructor(readonly placeholder: string) {
    super(`{{${placeholder}}} stands for nothing that has been received`);
  }
}

const WHOLE = /"\{\{([^{}"]+)\}\}"/g;
const WITHIN = /\{\{([^{}"]+)\}\}/g;
const EVENT = /^event:([^.#]+)(?:#(\d+))?\.(.+)$/;
