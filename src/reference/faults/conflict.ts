import { conflictWith } from '../admission.js';
import type { ErrorObject } from '../errors.js';
import type { Fault, Seams } from '../faults.js';
import type { JsonObject } from '../json.js';
import { forgetting, isSamePayload } from './forgetting.js';
import { A_TURN, deriving } from './showing.js';

const CONFLICTING = deriving(['conflict'], A_TURN);

/** Another payload under a known commandId. */
export const CONFLICT_FAULTS: readonly Fault[] = [
  {
    name: 'conflict-accepted',
    breaks: 'A commandId with another payload is rejected, not answered with the ack of the first one.',
    caughtBy: ['idempotency/conflict-rejected'],
    shownBy: CONFLICTING,
    seams: () => ({ known: (intake, { signature }) => intake && { ...intake, signature } }),
  },
  {
    name: 'conflict-executed',
    breaks: 'A commandId with another payload changes nothing.',
    caughtBy: ['idempotency/conflict-no-effect'],
    shownBy: CONFLICTING,
    seams: () => forgetting((intake, at) => !isSamePayload(intake, at)),
  },
  {
    name: 'conflict-wrong-code',
    breaks: 'A conflict has the code of commandRejected.',
    caughtBy: ['idempotency/conflict-rejected', 'schema/error-pair'],
    shownBy: CONFLICTING,
    seams: () => conflicts((error) => ({ ...error, code: -32602 })),
  },
  {
    name: 'conflict-wrong-reason',
    breaks: 'A conflict has the reason command_id_conflict.',
    caughtBy: ['idempotency/conflict-rejected'],
    shownBy: CONFLICTING,
    seams: () => conflicts((error) => ({ ...error, data: { ...error.data, reason: 'duplicate_command' } })),
  },
  {
    name: 'conflict-poisons-the-original',
    breaks: 'A conflict says nothing about the command that came first.',
    caughtBy: ['idempotency/original-survives-conflict'],
    shownBy: CONFLICTING,
    seams: () => {
      const poisoned = new Set<string>();
      return {
        known: (intake, at) => {
          if (!intake) return undefined;
          if (!isSamePayload(intake, at)) poisoned.add(intake.commandId);
          const isPoisoned = isSamePayload(intake, at) && poisoned.has(intake.commandId);
          return isPoisoned ? { ...intake, answer: { error: conflictWith(intake.commandId) } } : intake;
        },
      };
    },
  },
  {
    name: 'signature-forgotten-at-restart',
    breaks: 'The signature of a payload is as durable as its intake.',
    caughtBy: ['idempotency/restart-conflict-rejected'],
    shownBy: deriving(['conflict', 'restart'], A_TURN),
    seams: () => ({
      known: (intake, { signature, isReloaded }) =>
        intake && (isReloaded ? { ...intake, signature } : intake),
    }),
  },
  {
    name: 'signature-looks-at-the-top-alone',
    breaks: 'The payload is compared at every depth.',
    caughtBy: ['idempotency/conflict-rejected'],
    shownBy: CONFLICTING,
    seams: () => ({
      signature: (_, { params }) =>
        JSON.stringify(
          Object.entries(params)
            .filter(([, value]) => typeof value !== 'object')
            .sort(),
        ),
    }),
  },
  {
    name: 'signature-looks-at-required-members-alone',
    breaks: 'An optional member is a part of the payload.',
    caughtBy: ['idempotency/conflict-rejected'],
    shownBy: CONFLICTING,
    seams: () => ({
      signature: (signature, { method, params: { sessionId, input } }) =>
        method === 'turn/start' ? JSON.stringify({ sessionId, input }) : signature,
    }),
  },
  {
    name: 'signature-depends-on-member-order',
    breaks: 'The order of members is no part of the payload.',
    caughtBy: ['idempotency/reordered-is-duplicate'],
    shownBy: deriving(['reordered'], A_TURN),
    seams: () => ({ signature: (_, { params }) => JSON.stringify(params) }),
  },
];

function conflicts(change: (error: ErrorObject) => ErrorObject): Pick<Seams, 'frames'> {
  return {
    frames: (frames) =>
      frames.map((frame) => (isConflict(frame) ? { ...frame, error: change(frame.error) } : frame)),
  };
}

function isConflict(frame: JsonObject): frame is JsonObject & { readonly error: ErrorObject } {
  return (frame['error'] as ErrorObject | undefined)?.data['reason'] === 'command_id_conflict';
}
