import { fileURLToPath } from 'node:url';
import { REFERENCE_BEHAVIOURS } from '../reference/behaviours.js';
import type { TargetSpec } from '../target/spec.js';

/** How the reference server is started and asked for behaviours, over stdio. */
export function bundledServer(): Pick<TargetSpec, 'label' | 'behaviours'> & {
  readonly command: readonly string[];
} {
  const program = fileURLToPath(new URL('../../bin/msp-conformance.js', import.meta.url));
  return {
    label: 'bundled reference server',
    command: [process.execPath, program, 'serve', '--state', '{stateDir}'],
    behaviours: REFERENCE_BEHAVIOURS,
  };
}
