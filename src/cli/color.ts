/** What decides about colour: the command line, the environment, and whether a person is watching. */
export interface ColorCircumstances {
  readonly noColorOption: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isTerminal: boolean;
}

export type ColorLevel = 0 | 1 | 2 | 3;

/** chalk's level. `--no-color` beats `FORCE_COLOR`, which beats `NO_COLOR`, which beats what the terminal can do. */
export function colorLevel({ noColorOption, env, isTerminal }: ColorCircumstances): ColorLevel {
  if (noColorOption) return 0;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return FORCED[forced] ?? 1;
  if (env['NO_COLOR'] || !isTerminal || env['TERM'] === 'dumb') return 0;
  if (env['COLORTERM'] === 'truecolor') return 3;
  return env['TERM']?.includes('256') ? 2 : 1;
}

const FORCED: Readonly<Record<string, ColorLevel>> = { '0': 0, false: 0, '1': 1, '2': 2, '3': 3 };
