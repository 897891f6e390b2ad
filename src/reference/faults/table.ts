import type { Fault } from '../faults.js';

/** Every fault that `serve --fault NAME` knows. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'carriage-returns',
    breaks: 'Lines end in LF alone.',
    caughtBy: ['wire/no-carriage-return'],
    seams: () => ({ text: (text) => text.replace('\n', '\r\n') }),
  },
  {
    name: 'conflict-accepted',
    breaks: 'A commandId with another payload is rejected.',
    caughtBy: ['idempotency/conflict-rejected'],
    seams: () => ({ known: (intake, { signature }) => intake && { ...intake, signature } }),
  },
  {
    name: 'ledger-forgets-at-restart',
    breaks: 'A commandId is known after a restart.',
    caughtBy: ['idempotency/restart-duplicate-identical'],
    seams: () => ({ known: (intake, { isReloaded }) => (isReloaded ? undefined : intake) }),
  },
];
