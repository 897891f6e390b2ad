import type { LiveCommand } from '../replay/drive-context.js';
import type { Answer } from '../replay/exchange.js';
import { FREE_TEXT_MEMBERS } from '../replay/members.js';
import { compareExact } from '../wire/compare.js';
import { parseExact } from '../wire/exact-json.js';
import { isConflict } from './compare-answers.js';
import { saysPromptIsOver } from './exceptions.js';

/**
 * What the answer to another payload under a known commandId is worth. In which order a host checks a request is left
 * open, so that it may refuse the other payload itself before it consults its ledger; that is worth a warning. What
 * only a ledger can say must be the conflict, and the payload must not be carried out.
 */
export function judgeConflict(
  command: LiveCommand,
  mutatedLine: string,
  answer: Answer,
): 'passed' | 'warned' | 'failed' {
  if (isConflict(answer)) return 'passed';
  if (saysPromptIsOver(command.method, answer.errorKind)) return 'warned';
  const { code, errorKind, reason } = answer;
  if (errorKind === undefined || reason === 'command_id_conflict' || code === REJECTION) return 'failed';
  if (NEVER_EXCUSED.has(errorKind)) return 'failed';
  if (errorKind === 'invalidParams') return changesOnlyText(command.line, mutatedLine) ? 'failed' : 'warned';
  return 'warned';
}

const REJECTION = -32030;

/** The ledger's own word with another reason, and what cannot be said of a method that was served a moment ago. */
const NEVER_EXCUSED: ReadonlySet<string> = new Set([
  'commandRejected',
  'internal',
  'parseError',
  'invalidRequest',
  'methodNotFound',
  'notInitialized',
]);

/** Another text for people in the place of the first one is as valid as that was. */
function changesOnlyText(line: string, mutatedLine: string): boolean {
  const differences = compareExact(parseExact(line).value, parseExact(mutatedLine).value);
  return differences.every(
    ({ kind, path }) => kind === 'changed' && FREE_TEXT_MEMBERS.has(path.slice(path.lastIndexOf('/') + 1)),
  );
}
