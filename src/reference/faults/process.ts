import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault } from '../faults.js';
import { A_TURN, deriving, replaying } from './showing.js';

const TALKING = replaying(A_TURN);

/** How the process ends. */
export const PROCESS_FAULTS: readonly Fault[] = [
  {
    name: 'exit-code-of-a-failure',
    breaks: 'An orderly end has exit code 0.',
    caughtBy: ['process/exit-code'],
    shownBy: TALKING,
    seams: () => ({ exitCode: () => 7 }),
  },
  {
    name: 'never-exits',
    breaks: 'The server ends when its input does.',
    caughtBy: ['process/orderly-exit'],
    shownBy: TALKING,
    seams: () => ({
      exitCode: (code) => {
        setInterval(() => undefined, 1_000_000);
        return code;
      },
    }),
  },
  {
    name: 'dies-before-its-answer',
    breaks: 'The server does not end before it is asked to.',
    caughtBy: ['process/no-crash'],
    shownBy: TALKING,
    seams: () => ({
      frames: (frames, { method }) => (method === 'view/page' ? process.exit(70) : frames),
    }),
  },
  {
    name: 'dies-of-a-replay',
    breaks: 'The server survives a command that comes twice.',
    caughtBy: ['process/no-crash', 'idempotency/replay-answered'],
    shownBy: deriving(['duplicate'], A_TURN),
    seams: () => ({
      known: (intake) => {
        if (intake) process.exit(70);
        return intake;
      },
    }),
  },
  {
    name: 'does-not-start-again',
    breaks: 'The server starts on the state that it left behind.',
    caughtBy: ['process/restarts'],
    shownBy: deriving(['restart'], A_TURN),
    seams: () => {
      if (existsSync(join(process.env['MSP_STATE_DIR'] ?? '', 'sessions'))) process.exit(1);
      return {};
    },
  },
];
