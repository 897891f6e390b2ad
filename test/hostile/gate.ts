const FREE = 2;
let running = 0;
const waiting: (() => void)[] = [];

/** Runs an act when fewer than two others run: as many as a small machine has processors. */
export async function twoAtATime<T>(act: () => Promise<T>): Promise<T> {
  if (running === FREE) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await act();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  }
}
