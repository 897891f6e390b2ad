import type { CheckId } from '../../catalogue.js';
import type { RuleContext } from '../observation.js';
import type { Act } from './crafted-frames.js';

/** Two crafted streams for one check. */
export interface Case {
  readonly fails: readonly Act[];
  readonly passes: readonly Act[];
  /** What the failing stream gives; `failed` when absent. A note is a passed check with a message. */
  readonly gives?: 'failed' | 'warned' | 'note';
  readonly context?: Partial<RuleContext>;
}

export type Cases = Partial<Record<CheckId, Case>>;
