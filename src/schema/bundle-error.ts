/** One thing that is wrong with a bundle. */
export interface BundleFault {
  /** JSON Pointer into the bundle; empty for the document itself. */
  readonly pointer: string;
  /** What was expected and what was found. */
  readonly message: string;
}

/**
 * The bundle cannot be used. The message names the file, the place, the reason and what to do; `faults` has
 * every place. A command line ends with exit code 2.
 */
export class BundleError extends Error {
  override readonly name = 'BundleError';
  constructor(
    readonly path: string,
    readonly faults: readonly BundleFault[],
    advice = 'Give --schema a published msp.schema.json, or leave it out to use the bundled one.',
  ) {
    super(`${path} is no usable MSP bundle:\n${faults.map(faultLine).join('\n')}\n${advice}`);
  }
}

function faultLine(fault: BundleFault): string {
  return `  ${fault.pointer === '' ? '(document)' : fault.pointer}: ${fault.message}`;
}
