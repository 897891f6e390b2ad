import type { Scenario } from '../transcript/scenario.js';
import { DEFAULT_FRAME_LIMIT_BYTES, OVERSIZE_PREFIX_BYTES } from '../wire/line-splitter.js';
import type { MockReport } from './mock-report.js';

export interface MockOptions {
  /** Where a later life finds how far this one was; undefined: nowhere. */
  readonly stateDir: string | undefined;
  /** The host dies when the script is over, instead of waiting for the client's end. */
  readonly death: { readonly exitCode: number; readonly stderrLines: number } | undefined;
  readonly say: (report: MockReport) => void;
  /** One line of a dying host's stderr. */
  readonly moan: (line: string) => void;
}

/** How the mock must end: with an exit code, or killed without notice. */
export type Ending = number | 'SIGKILL';

/** Room for the longest recorded line, and for what a client may send besides. */
export function lineLimit({ manifest, steps }: Scenario): number {
  const limit = manifest?.serverConfig?.frameLimitBytes ?? DEFAULT_FRAME_LIMIT_BYTES;
  const recorded = steps.map((step) => (step.dir === 'client' ? Buffer.byteLength(step.raw) : 0));
  return recorded.reduce((longest, bytes) => Math.max(longest, bytes), limit) + OVERSIZE_PREFIX_BYTES;
}

/** The end of a script whose client has said all that it had to. */
export async function complete(
  scenario: Scenario,
  options: MockOptions,
  clientEnds: () => Promise<unknown>,
): Promise<Ending> {
  if (options.death !== undefined) {
    const { exitCode, stderrLines } = options.death;
    for (let line = 1; line <= stderrLines; line += 1)
      options.moan(`last words, line ${line} of ${stderrLines}`);
    return exitCode;
  }
  await clientEnds();
  options.say({ report: 'mockComplete', scenario: scenario.id });
  return 0;
}
