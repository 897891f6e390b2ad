import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { timeLimit } from './time-limit.js';

/** Keeps the event loop for longer than the limit of the tests. */
function beBusy(): void {
  for (const end = performance.now() + 5; performance.now() < end; );
}

describe('a time limit', () => {
  it('passes when nothing is received', () => new Promise<void>((resolve) => timeLimit(1, () => 0, resolve)));

  it('passes in spite of a server that never stops', async () => {
    let received = 0;
    await new Promise<void>((resolve) => timeLimit(1, () => received++, resolve));
    expect(received).toBeGreaterThan(1);
  });

  it('does not pass while what had come in time is still read', async () => {
    const frames = ['another', 'another', 'the answer'];
    let received = 0;
    let isOver = false;
    const cancel = timeLimit(
      1,
      () => received,
      () => {
        isOver = true;
      },
    );
    beBusy();
    for (const frame of frames) {
      await turn();
      received += 1;
      if (frame === 'the answer') cancel();
    }
    for (let turns = 0; turns < 10; turns += 1) await turn();
    expect(isOver).toBe(false);
  });

  it('does not pass once it was called off', async () => {
    let isOver = false;
    const cancel = timeLimit(
      1,
      () => 0,
      () => {
        isOver = true;
      },
    );
    cancel();
    beBusy();
    for (let turns = 0; turns < 10; turns += 1) await turn();
    expect(isOver).toBe(false);
  });
});
