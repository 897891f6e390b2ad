import type { ReplayChecks } from './replay-command.js';

/** Replays on the host that answered the command. */
export const SAME_HOST: ReplayChecks = {
  pass: 'duplicate',
  duplicate: 'idempotency/duplicate-ack-identical',
  duplicateEffect: 'idempotency/duplicate-single-effect',
  conflict: 'idempotency/conflict-rejected',
  conflictEffect: 'idempotency/conflict-no-effect',
  original: 'idempotency/original-survives-conflict',
  rejection: 'idempotency/rejection-replayed',
  circumstance: 'sent again',
};

/** Replays on the host that came after an orderly stop. */
export const AFTER_RESTART: ReplayChecks = {
  pass: 'restart',
  duplicate: 'idempotency/restart-duplicate-identical',
  duplicateEffect: 'idempotency/restart-single-effect',
  conflict: 'idempotency/restart-conflict-rejected',
  conflictEffect: 'idempotency/restart-single-effect',
  original: 'idempotency/restart-duplicate-identical',
  rejection: 'idempotency/restart-rejection-replayed',
  circumstance: 'sent again after a restart',
};
