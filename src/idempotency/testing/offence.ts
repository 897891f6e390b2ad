import type { CheckId } from '../../checks/catalogue.js';
import type { PassName } from '../../checks/finding.js';
import type { Scenario } from '../../transcript/scenario.js';
import type { Broken, KnownAt } from './promises-broken.js';
import type { Json, LedgerEntry, Reply } from './server-state.js';

/** One promise broken, and the check that has to find it. */
export interface Offence {
  readonly what: string;
  readonly check: CheckId;
  /** Failed unless the check can only warn. */
  readonly status?: 'warned';
  readonly scenario: Promise<Scenario>;
  readonly passes: readonly PassName[];
  readonly broken: Broken;
  readonly transport?: 'stdio' | 'unix';
  readonly method?: string;
  readonly crashPoints?: number;
  /** What the message must tell an implementer. */
  readonly tells?: RegExp;
}

export function withMember(answer: Reply, members: Json): Reply {
  return 'result' in answer ? { result: { ...answer.result, ...members } } : answer;
}

export function onTurn({ method }: KnownAt): boolean {
  return method === 'turn/start';
}

export function onRename({ method }: KnownAt): boolean {
  return method === 'session/rename';
}

/** A ledger that has forgotten some of its entries. */
export function forgetWhen(
  isForgotten: (entry: LedgerEntry, at: KnownAt) => boolean,
): NonNullable<Broken['known']> {
  return (entry, at) => (entry !== undefined && isForgotten(entry, at) ? undefined : entry);
}
