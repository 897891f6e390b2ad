import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Scenario } from '../transcript/scenario.js';
import type { Progress } from './player.js';

/**
 * Where a mock that ended at a control line remembers how far it was, so that its next life on the same state
 * directory goes on from there. Without a state directory every life begins at the beginning.
 */
export class ProgressFile {
  readonly #path: string | undefined;
  readonly #script: string;

  constructor(stateDir: string | undefined, scenario: Scenario) {
    const steps = JSON.stringify(scenario.steps);
    this.#script = createHash('sha256').update(steps).digest('hex');
    if (stateDir === undefined) return;
    mkdirSync(stateDir, { recursive: true });
    this.#path = join(stateDir, `mock-${scenario.id}.progress.json`);
  }

  /** Undefined at the beginning, and when what is there belongs to another script. */
  read(): Progress | undefined {
    if (this.#path === undefined) return undefined;
    try {
      const { script, ...progress } = JSON.parse(readFileSync(this.#path, 'utf8')) as Progress & {
        script: string;
      };
      return script === this.#script ? progress : undefined;
    } catch {
      return undefined;
    }
  }

  /** On disk, whole, when it returns. */
  write(progress: Progress): void {
    if (this.#path === undefined) return;
    const aside = `${this.#path}.${process.pid}.partial`;
    writeFileSync(aside, JSON.stringify({ script: this.#script, ...progress }));
    renameSync(aside, this.#path);
  }

  clear(): void {
    if (this.#path !== undefined) rmSync(this.#path, { force: true });
  }
}
