import type { PassName } from '../checks/finding.js';
import type { KnownServer } from '../replay/stage.js';
import type { Pattern } from '../report/pattern.js';
import type { Bundle } from '../schema/bundle.js';
import type { TargetSpec } from '../target/spec.js';

/** Everything that decides how scenarios are run, the same for all of them. */
export interface RunSetup {
  readonly target: TargetSpec;
  readonly bundle: Bundle;
  readonly passes: ReadonlySet<PassName>;
  /** The passes were named by whoever runs: they are run whatever a scenario's manifest says. */
  readonly asksForPasses: boolean;
  readonly seed: number;
  readonly crashPoints: number;
  readonly ids: 'fresh' | 'recorded';
  readonly match: 'conformant' | 'exact';
  readonly require: 'core' | 'all';
  readonly keep: boolean;
  readonly only: readonly Pattern[];
  readonly skip: readonly Pattern[];
  /** Servers that are known by the name they give in the handshake. */
  readonly knownServers: ReadonlyMap<string, KnownServer>;
  /** The command that re-runs one check of one scenario. */
  rerun(scenarioId: string, checkId: string): string;
}
