/**
 * Calls `expire` once `ms` milliseconds are over, unless what it returns is called before. A harness that was busy
 * sees its timer before the bytes that had come in time, so what is still there to be read is read first: the event
 * loop turns until `received` stands still, for as long again at most.
 */
export function timeLimit(ms: number, received: () => number, expire: () => void): () => void {
  let turn: NodeJS.Immediate | undefined;
  const lookAgain = (before: number, isSecondTurn: boolean, end: number) => {
    turn = setImmediate(() => {
      const now = received();
      // The first turn may end in the phase that the timer was in; the second has been through the reading.
      if (!isSecondTurn) lookAgain(before, true, end);
      else if (now === before || performance.now() >= end) expire();
      else lookAgain(now, false, end);
    });
  };
  const timer = setTimeout(() => lookAgain(received(), false, performance.now() + ms), ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
}
