import { Rejection } from './errors.js';
import { DEFAULT_APPROVAL_MODE } from './fold.js';

/** Where each startup mode may go on a host whose startup mode is a ceiling. `onRequest` compares with neither prompt mode. */
const BELOW: Readonly<Record<string, readonly string[]>> = {
  allowAll: ['allowAll', 'promptUnmatched', 'onRequest', 'denyUnmatched'],
  promptUnmatched: ['promptUnmatched', 'denyUnmatched'],
  onRequest: ['onRequest'],
  denyUnmatched: ['denyUnmatched'],
};

/** Rejects a mode above the one that an ephemeral host was started in. */
export function assertModeWithinCeiling(mode: string, isEphemeral: boolean): void {
  if (!isEphemeral || BELOW[DEFAULT_APPROVAL_MODE]?.includes(mode)) return;
  throw new Rejection('approval_mode_ceiling', `${mode} is above the host's mode ${DEFAULT_APPROVAL_MODE}`);
}
