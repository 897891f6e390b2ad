const LONGEST = 60;

/** A value as a message shows it: JSON, cut to about sixty characters; `nothing` for an absent one. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value) && value.length > 3) return `an array of ${value.length}`;
  const text = JSON.stringify(value) ?? typeof value;
  if (text.length <= LONGEST) return text;
  if (typeof value === 'string')
    return `${JSON.stringify(value.slice(0, LONGEST))}… (${value.length} characters)`;
  return `${text.slice(0, LONGEST)}…`;
}
