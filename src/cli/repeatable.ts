/** Collects the values of a repeatable option. */
export function append(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
