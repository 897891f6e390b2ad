import type { CheckId } from './catalogue.js';
import type { PassName } from './finding.js';

/** The passes in which a check may be judged; `any` for rules over whatever frames there are. */
export function judgingPasses(checkId: string): readonly PassName[] | 'any' {
  return BOUND[checkId as CheckId] ?? 'any';
}

const CRASHES = ['crash-after-ack', 'crash-before-ack'] as const;
const LIVES = ['restart', ...CRASHES] as const;

/** Checks that belong to certain passes. A run without one of these passes cannot say that such a check holds. */
const BOUND: Readonly<Partial<Record<CheckId, readonly PassName[]>>> = {
  'idempotency/duplicate-ack-identical': ['duplicate'],
  'idempotency/duplicate-single-effect': ['duplicate', 'rejected'],
  'idempotency/reordered-is-duplicate': ['reordered'],
  'idempotency/pipelined-single-effect': ['pipelined'],
  'idempotency/reconnect-duplicate': ['reconnect'],
  'idempotency/conflict-rejected': ['conflict'],
  'idempotency/conflict-no-effect': ['conflict'],
  'idempotency/original-survives-conflict': ['conflict'],
  'idempotency/unspecified-id-reuse': ['conflict'],
  'idempotency/unspecified-payload-change': ['conflict'],
  'idempotency/rejection-replayed': ['rejected', 'reconnect'],
  'idempotency/carrierless-no-new-effect': ['carrierless'],
  'idempotency/restart-duplicate-identical': LIVES,
  'idempotency/restart-single-effect': LIVES,
  'idempotency/restart-conflict-rejected': ['restart'],
  'idempotency/restart-rejection-replayed': ['restart'],
  'idempotency/crash-after-ack-durable': ['crash-after-ack'],
  'idempotency/crash-before-ack-safe': ['crash-before-ack'],
  'idempotency/crash-single-effect': CRASHES,
  'idempotency/crash-answer-stable': LIVES,
  'idempotency/abandoned-not-stale': LIVES,
  'durability/acknowledged-state-survives': CRASHES,
  'durability/drain-cancels-turn': ['restart'],
  'durability/interrupted-turn-settled': LIVES,
  'durability/queued-turn-survives': LIVES,
  'durability/queued-turn-launched-once': LIVES,
  'durability/session-list-complete': ['restart'],
  'durability/session-resumable': LIVES,
  'durability/view-survives': ['restart'],
};
