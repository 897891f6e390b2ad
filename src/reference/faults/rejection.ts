import type { Fault, Seams } from '../faults.js';
import type { Intake } from '../ledger.js';
import { forgetting, isRejected } from './forgetting.js';
import { A_TURN, deriving, GOALS } from './showing.js';

/** A command that was durably rejected is rejected for good. */
export const REJECTION_FAULTS: readonly Fault[] = [
  {
    name: 'rejection-decided-anew',
    breaks: 'A rejected command is rejected again, whatever has become possible since.',
    caughtBy: ['idempotency/rejection-replayed'],
    shownBy: deriving(['rejected'], GOALS),
    seams: () => forgetting(isRejected),
  },
  {
    name: 'rejection-changes-its-reason',
    breaks: 'A replayed rejection gives the reason that it gave first.',
    caughtBy: ['idempotency/rejection-replayed'],
    shownBy: deriving(['rejected'], A_TURN),
    seams: () => ({ known: (intake) => intake && withReason(intake, 'already_rejected') }),
  },
  {
    name: 'rejection-forgotten-at-restart',
    breaks: 'A rejection is as durable as an ack.',
    caughtBy: ['idempotency/restart-rejection-replayed'],
    shownBy: deriving(['rejected', 'restart'], GOALS),
    seams: () => forgetting((intake, { isReloaded }) => isReloaded && isRejected(intake)),
  },
  {
    name: 'rejection-changes-at-restart',
    breaks: 'A rejection is the same after a restart.',
    caughtBy: ['idempotency/restart-rejection-replayed'],
    shownBy: deriving(['rejected', 'restart'], A_TURN),
    seams: (): Pick<Seams, 'known'> => ({
      known: (intake, { isReloaded }) => intake && (isReloaded ? withReason(intake, 'unknown') : intake),
    }),
  },
];

function withReason(intake: Intake, reason: string): Intake {
  if (!('error' in intake.answer)) return intake;
  const { error } = intake.answer;
  return { ...intake, answer: { error: { ...error, data: { ...error.data, reason } } } };
}
