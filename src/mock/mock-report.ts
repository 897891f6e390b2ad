import type { Difference } from '../wire/difference.js';

/** What the mock says on stderr, one JSON object on a line. */
export type MockReport =
  | {
      readonly report: 'mockFailure';
      readonly scenario: string;
      /**
       * `frameDivergence`: another frame than the recorded one. `malformedClientFrame`: no frame at all where one was
       * recorded. `clientEof`: the client ended before the script did.
       */
      readonly problem: 'frameDivergence' | 'malformedClientFrame' | 'clientEof';
      /** Line of the transcript that was expected. */
      readonly line: number;
      readonly expected: string;
      /** Absent at the client's end. */
      readonly received?: string;
      /** `expected` is the recorded value, `actual` the client's. */
      readonly differences: readonly Difference[];
    }
  | { readonly report: 'mockComplete'; readonly scenario: string }
  | { readonly report: 'mockListening'; readonly scenario: string; readonly address: string };

export type MockFailure = Extract<MockReport, { report: 'mockFailure' }>;
