/** What the server calls itself in the handshake. */
export const SERVER_NAME = 'msp-reference';

/** The input texts that bring about what scenarios ask a server's model for. The whole list of cues is in `provider/table.ts`. */
export const REFERENCE_BEHAVIOURS: Readonly<
  Record<'slow' | 'fail' | 'approval' | 'question' | 'echo', string>
> = {
  slow: '#slow take about two seconds',
  fail: '#fail with a model error',
  approval: '#approval to run a command',
  question: '#question about the database',
  echo: '#echo these words',
};
