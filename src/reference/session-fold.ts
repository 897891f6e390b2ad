import { foldRecord } from './fold.js';
import type { JsonObject } from './json.js';
import { type Intake, Ledger } from './ledger.js';
import type { LogRecord } from './session-log.js';
import { emptyState, type SessionState } from './state.js';
import { EPHEMERAL_RUN, View } from './view.js';

/** What the records of one session amount to: its state, its view and its ledger. Enough to read a session that is not loaded. */
export class SessionFold {
  readonly state: SessionState;
  readonly view: View;
  readonly ledger: Ledger;

  constructor(
    readonly id: string,
    options: { readonly carrierless?: Map<string, Intake>; readonly retention?: number } = {},
  ) {
    this.state = emptyState(id);
    this.view = new View(id, options.retention);
    this.ledger = new Ledger(options.carrierless);
  }

  /** Takes in a record that is on disk already. */
  restore(record: LogRecord): void {
    foldRecord(this.state, record);
    this.ledger.fold(record);
    const { method, params, position } = record.body as {
      method: string;
      params: JsonObject;
      position: number;
    };
    if (record.kind === 'event') this.view.add({ position, method, params, isDurable: true });
    if (record.kind === 'ended') this.view.head = position;
  }

  /** Called after the last `restore`. A host that did not end in order may have given out cursors that no record holds. */
  restored(): this {
    this.state.approvalMode = { ...this.state.approvalMode, source: 'replay' };
    if (!this.state.isEnded) this.view.head += EPHEMERAL_RUN;
    return this;
  }
}
