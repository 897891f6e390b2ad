import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Recorded workspace folders and the run's own ones that stand for them. The run's folders exist. */
export class WorkspacePaths {
  readonly #liveOf = new Map<string, string>();

  constructor(private readonly workspace: string) {}

  /** The run's folder for a recorded workspace root; made at first sight. The first root is the workspace itself. */
  rootFor(recorded: string): string {
    const known = this.live(recorded);
    if (known !== undefined) return known;
    const live =
      this.#liveOf.size === 0 ? this.workspace : join(this.workspace, `root-${this.#liveOf.size + 1}`);
    mkdirSync(live, { recursive: true });
    this.#liveOf.set(recorded, live);
    return live;
  }

  /** The live path for a recorded one at or below a known root; undefined for any other string. */
  live(recorded: string): string | undefined {
    for (const [root, live] of this.#liveOf) {
      if (recorded === root) return live;
      if (recorded.startsWith(`${root}/`)) return live + recorded.slice(root.length);
    }
    return undefined;
  }
}
