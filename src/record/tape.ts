import type { Evidence } from '../checks/finding.js';
import { Trace } from '../replay/trace.js';
import type { ControlOp } from '../transcript/scenario.js';
import type { UnplacedStep } from '../transcript/write-transcript.js';

/** Keeps every frame of a replay whole, where a trace keeps what a person wants to see. */
export class Tape extends Trace {
  readonly #steps: UnplacedStep[] = [];
  #isStopped = false;

  override note(dir: Evidence['dir'], raw: string, atMs?: number): void {
    super.note(dir, raw, atMs);
    if (dir !== 'control' && !this.#isStopped) this.#steps.push({ dir, raw });
  }

  /** What a server says while it goes down depends on chance: it is not kept. */
  async during(op: ControlOp, act: () => Promise<void>): Promise<void> {
    this.#isStopped = true;
    await act();
    this.#steps.push({ dir: 'control', op });
    this.#isStopped = false;
  }

  /** Ends the keeping and gives what there is. */
  stop(): readonly UnplacedStep[] {
    this.#isStopped = true;
    return this.#steps;
  }
}
