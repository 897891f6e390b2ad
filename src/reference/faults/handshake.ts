import type { Fault, GateContext, Seams } from '../faults.js';
import { answers, insteadOf, results } from './rewriting.js';
import {
  A_TURN,
  AN_EXPERIMENTAL_MEMBER,
  AN_OPT_OUT,
  AN_UNGRANTED_CAPABILITY,
  HANDSHAKES,
  replaying,
  UNKNOWN_MEMBERS,
} from './showing.js';

/** What was agreed, and what it opens and closes. */
export const HANDSHAKE_FAULTS: readonly Fault[] = [
  {
    name: 'initialize-refused',
    breaks: 'A valid initialize is answered with a result.',
    caughtBy: ['handshake/completed'],
    shownBy: replaying(A_TURN),
    seams: () =>
      insteadOf(answers('initialize'), ({ id }) => [
        {
          jsonrpc: '2.0',
          id,
          error: { code: -32602, message: 'capabilities: required', data: { kind: 'invalidParams' } },
        },
      ]),
  },
  {
    name: 'speaks-before-initialized',
    breaks: 'Nothing is sent of the server’s own accord before initialized.',
    caughtBy: ['handshake/silent-before-initialized'],
    shownBy: replaying(A_TURN),
    seams: () => insteadOf(answers('initialize'), (frame) => [frame, GREETING]),
  },
  {
    name: 'served-before-initialize',
    breaks: 'Nothing is served before initialize.',
    caughtBy: ['handshake/not-initialized'],
    shownBy: replaying(HANDSHAKES),
    seams: () => open('notInitialized'),
  },
  {
    name: 'initialize-twice',
    breaks: 'A second initialize is refused.',
    caughtBy: ['handshake/already-initialized'],
    shownBy: replaying(HANDSHAKES),
    seams: () => open('alreadyInitialized'),
  },
  {
    name: 'capability-gate-open',
    breaks: 'What needs a capability is refused without its grant.',
    caughtBy: ['handshake/capability-gate'],
    shownBy: replaying(AN_UNGRANTED_CAPABILITY),
    seams: () => open('capability'),
  },
  {
    name: 'experimental-gate-open',
    breaks: 'The experimental surface is refused without the opt-in.',
    caughtBy: ['handshake/experimental-gate'],
    shownBy: replaying(AN_EXPERIMENTAL_MEMBER),
    seams: () => open('experimental'),
  },
  {
    name: 'opt-out-ignored',
    breaks: 'A notification that the client declined is not sent.',
    caughtBy: ['handshake/opt-out-honoured'],
    shownBy: replaying(AN_OPT_OUT),
    seams: () => ({ gate: (isOpen, { gate }) => isOpen && gate !== 'optOut' }),
  },
  {
    name: 'experimental-announced-unasked',
    breaks: 'The result of initialize echoes what was agreed.',
    caughtBy: ['handshake/experimental-echo'],
    shownBy: replaying(A_TURN),
    seams: () => results('initialize', (result) => ({ ...result, experimentalApi: true })),
  },
  {
    name: 'unknown-member-refused',
    breaks: 'A member that the server does not know is ignored.',
    caughtBy: ['tolerance/unknown-member-accepted'],
    warnsOnly: true,
    shownBy: replaying(UNKNOWN_MEMBERS),
    seams: () => ({
      objection: (problem, { unknownMembers: [first] }) =>
        problem ?? (first === undefined ? undefined : `${first}: unknown member`),
    }),
  },
];

const GREETING = {
  jsonrpc: '2.0',
  method: 'session/statusChanged',
  params: { sessionId: '01900000-0000-7000-8000-000000000000', status: 'idle', viewCursor: null },
  emittedAtMs: 0,
};

function open(name: GateContext['gate']): Pick<Seams, 'gate'> {
  return { gate: (isOpen, { gate }) => isOpen || gate === name };
}
