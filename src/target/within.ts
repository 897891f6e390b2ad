/** What the promise resolves to, or `late` when it takes longer than the limit. */
export function within<T>(promise: Promise<T>, limitMs: number): Promise<T | 'late'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve('late'), limitMs);
    promise.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
