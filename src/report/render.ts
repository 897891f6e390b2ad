import type { Report } from './model.js';

/** What a renderer may be told. Only `pretty` looks at colour and width. */
export interface RenderOptions {
  /** 0 none, 1 sixteen colours, 2 256 colours, 3 true colour: chalk's levels. */
  readonly colorLevel: 0 | 1 | 2 | 3;
  /** Columns of the terminal. */
  readonly width: number;
  /** Only failures and the verdict. */
  readonly quiet: boolean;
  /** Notes one by one, every failure in full, long frames. */
  readonly verbose: boolean;
}

/** A report as text, ending in a line feed. Never throws on a valid report. */
export type Render = (report: Report, options: RenderOptions) => string;
