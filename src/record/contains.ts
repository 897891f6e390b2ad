/** Whether a value holds all that a pattern states: its members recursively, arrays and scalars whole. */
export function contains(value: unknown, pattern: unknown): boolean {
  if (!isRecord(pattern)) return JSON.stringify(value) === JSON.stringify(pattern);
  return (
    isRecord(value) &&
    Object.entries(pattern).every(([name, part]) => Object.hasOwn(value, name) && contains(value[name], part))
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
