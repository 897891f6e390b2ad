import { randomBytes } from 'node:crypto';
import type { Fault } from '../faults.js';
import { derivedId } from '../ids.js';
import { results } from './rewriting.js';
import { A_TURN, deriving, replaying } from './showing.js';

/** Who mints which id, and where it comes back. */
export const ID_FAULTS: readonly Fault[] = [
  {
    name: 'missing-command-id-minted',
    breaks: 'The server never mints a commandId.',
    caughtBy: ['idempotency/missing-command-id'],
    shownBy: deriving(['malformed'], A_TURN),
    seams: () => ({
      objection: (problem, { params }) => {
        if (problem === undefined || params['commandId'] !== undefined) return problem;
        Object.assign(params, { commandId: derivedId(randomBytes(16).toString('hex'), 'command') });
        return undefined;
      },
    }),
  },
  {
    name: 'any-command-id-taken',
    breaks: 'A commandId is a UUIDv7.',
    caughtBy: ['idempotency/malformed-command-id'],
    warnsOnly: true,
    shownBy: deriving(['malformed'], A_TURN),
    seams: () => ({
      objection: (problem, { params }) =>
        typeof params['commandId'] === 'string' && problem?.includes('commandId') ? undefined : problem,
    }),
  },
  {
    name: 'turn-id-of-its-own',
    breaks: 'A fresh turn has the id of its command.',
    caughtBy: ['idempotency/turn-id-is-command-id'],
    shownBy: replaying(A_TURN),
    seams: () => ({ turnId: (commandId) => derivedId(commandId, 'turn') }),
  },
  {
    name: 'ack-echoes-another-id',
    breaks: 'An ack echoes the commandId.',
    caughtBy: ['idempotency/ack-echoes-command-id'],
    shownBy: replaying(A_TURN),
    seams: () =>
      results('turn/start', (ack) => ({ ...ack, commandId: derivedId(String(ack['commandId']), 'echo') })),
  },
];
