/** What a figure must reach. */
export interface Bar {
  readonly limit: number;
  readonly sense: 'atMost' | 'atLeast';
}

export interface FigureName {
  readonly name: string;
  readonly bar: Bar;
}

/** A figure as it was measured. */
export interface Measured {
  /** Undefined when it cannot be measured here; `detail` says why. */
  readonly value: number | undefined;
  /** The absolute values behind it, for people. */
  readonly detail: string;
}

export interface Settings {
  /** Measurements of each side, of which the median counts. */
  readonly runs: number;
  /** The suite to measure: a folder of scenarios; undefined for the bundled ones. */
  readonly scenarios: string | undefined;
}

/** One measurement, which may give several figures. */
export interface Benchmark {
  /** Its name for `--only`. */
  readonly key: string;
  readonly figures: readonly FigureName[];
  /** One entry for each of `figures`, in their order. */
  measure(settings: Settings): Promise<readonly Measured[]>;
}

export interface Figure {
  readonly name: string;
  readonly value: number | null;
  readonly bar: number;
  readonly met: boolean;
}

export function atMost(limit: number): Bar {
  return { limit, sense: 'atMost' };
}

export function atLeast(limit: number): Bar {
  return { limit, sense: 'atLeast' };
}

export function figureOf({ name, bar }: FigureName, { value }: Measured): Figure {
  if (value === undefined) return { name, value: null, bar: bar.limit, met: false };
  const rounded = Number(value.toPrecision(4));
  return {
    name,
    value: rounded,
    bar: bar.limit,
    met: bar.sense === 'atMost' ? rounded <= bar.limit : rounded >= bar.limit,
  };
}
