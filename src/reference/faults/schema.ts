import type { Fault } from '../faults.js';
import { errors, notifications, results } from './rewriting.js';
import { A_TURN, AN_APPROVAL, BAD_PARAMS, replaying } from './showing.js';

const TALKING = replaying(A_TURN);

/** Frames that do not fit their definitions. */
export const SCHEMA_FAULTS: readonly Fault[] = [
  {
    name: 'result-lacks-a-member',
    breaks: 'A result has the members that its method requires.',
    caughtBy: ['schema/result'],
    shownBy: TALKING,
    seams: () => results('view/page', ({ nextCursor: _, ...rest }) => rest),
  },
  {
    name: 'closed-enum-widened',
    breaks: 'A value of a closed list is one of the list.',
    caughtBy: ['schema/result'],
    shownBy: TALKING,
    seams: () => results('initialize', (result) => ({ ...result, platformFamily: 'posix' })),
  },
  {
    name: 'notification-lacks-a-member',
    breaks: 'A notification has the members that it requires.',
    caughtBy: ['schema/notification'],
    shownBy: TALKING,
    seams: () => notifications('turn/started', ({ sourceRange: _, ...rest }) => rest),
  },
  {
    name: 'server-request-lacks-a-member',
    breaks: 'A request of the server has the members that it requires.',
    caughtBy: ['schema/server-request'],
    shownBy: replaying(AN_APPROVAL),
    seams: () => notifications('approval/request', ({ toolName: _, ...rest }) => rest),
  },
  {
    name: 'error-data-misshapen',
    breaks: 'The data of an error fits its definition.',
    caughtBy: ['schema/error'],
    shownBy: replaying(BAD_PARAMS),
    seams: () => errors((error) => ({ ...error, data: { ...(error['data'] as object), retryable: 'no' } })),
  },
  {
    name: 'code-and-kind-disagree',
    breaks: 'The code and the kind of an error belong together.',
    caughtBy: ['schema/error-pair'],
    shownBy: replaying(BAD_PARAMS),
    seams: () => errors((error) => ({ ...error, code: error['code'] === -32602 ? -32603 : error['code'] })),
  },
  {
    name: 'fingerprint-of-another-schema',
    breaks: 'The fingerprint is that of the schema that is spoken.',
    caughtBy: ['schema/fingerprint'],
    warnsOnly: true,
    shownBy: TALKING,
    seams: () =>
      results('initialize', (result) => ({
        ...result,
        schema: { version: 1, fingerprint: `sha256:${'0'.repeat(64)}` },
      })),
  },
];
