import type { ErrorObject } from './errors.js';
import type { JsonObject } from './json.js';
import type { LogRecord } from './session-log.js';

/** What a command was answered, and is answered whenever it comes again. */
export type Answer = { readonly result: JsonObject } | { readonly error: ErrorObject };

/** One admitted command. */
export interface Intake {
  readonly commandId: string;
  readonly method: string;
  /** Of the payload as first captured: another one under the same id is a conflict. */
  readonly signature: string;
  readonly answer: Answer;
  readonly isSettled: boolean;
}

/**
 * Which commands a session has admitted. It is nothing but a fold of the log's `command` and `settlement` records,
 * except for the commands without a carrier, whose intake lives and ends with the host.
 */
export class Ledger {
  readonly #intakes = new Map<string, Intake>();

  constructor(private readonly carrierless: Map<string, Intake> = new Map()) {}

  find(commandId: string): Intake | undefined {
    return this.#intakes.get(commandId) ?? this.carrierless.get(commandId);
  }

  /** Intakes that wait for their settlement, in the order of admission. */
  pending(): readonly Intake[] {
    return [...this.#intakes.values()].filter(({ isSettled }) => !isSettled);
  }

  addCarrierless(intake: Intake): void {
    this.carrierless.set(intake.commandId, intake);
  }

  fold({ kind, id = '', body }: LogRecord): void {
    if (kind === 'command') {
      const { method, signature, answer } = body as unknown as Intake;
      this.#intakes.set(id, { commandId: id, method, signature, answer, isSettled: false });
    }
    if (kind === 'settlement') {
      const intake = this.#intakes.get(id);
      const error = body['error'] as ErrorObject | undefined;
      if (intake) {
        this.#intakes.set(id, { ...intake, isSettled: true, answer: error ? { error } : intake.answer });
      }
    }
  }
}
