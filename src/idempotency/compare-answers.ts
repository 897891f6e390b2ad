import type { Answer } from '../replay/exchange.js';
import { compareExact } from '../wire/compare.js';
import type { Difference } from '../wire/difference.js';

export interface AnswerComparison {
  /** Differences that the protocol forbids; none means that the answers are value-identical where they must be. */
  readonly differences: readonly Difference[];
  /** The wording of an error differs: human text without a promise of stability. */
  readonly wordingDiffers: boolean;
}

/** Compares a replay's answer with the first one, recursively, the envelope id aside. */
export function compareAnswers(first: Answer, again: Answer): AnswerComparison {
  const repeated = again.repeatedMembers.map(
    (path): Difference => ({ path, kind: 'extra', actual: 'the member occurs twice' }),
  );
  if (first.kind !== again.kind) {
    return {
      differences: [
        { path: `/${first.kind}`, kind: 'missing', expected: first.value },
        { path: `/${again.kind}`, kind: 'extra', actual: again.value },
        ...repeated,
      ],
      wordingDiffers: false,
    };
  }
  const all = compareExact(first.value, again.value);
  const isWording = (difference: Difference) => first.kind === 'error' && difference.path === '/message';
  return {
    differences: [
      ...all
        .filter((difference) => !isWording(difference))
        .map((difference) => ({ ...difference, path: `/${first.kind}${difference.path}` })),
      ...repeated,
    ],
    wordingDiffers: all.some(isWording),
  };
}

/** A durable rejection: the ledger keeps it and gives it again. */
export function isRejection(answer: Answer): boolean {
  return answer.kind === 'error' && answer.errorKind === 'commandRejected';
}

export function isConflict(answer: Answer): boolean {
  return isRejection(answer) && answer.code === -32030 && answer.reason === 'command_id_conflict';
}

/**
 * A rejection by which an abandoned command may be settled. How its reason is spelt is left open; the reasons that the
 * documents give another meaning do not say so.
 */
export function isAbandonment(answer: Answer): boolean {
  return isRejection(answer) && !isConflict(answer) && answer.reason !== 'session_id_conflict';
}

/** How an answer is named in a sentence. */
export function describeAnswer(answer: Answer): string {
  if (answer.kind === 'result') return 'a result';
  const reason = answer.reason === undefined ? '' : `, reason ${answer.reason}`;
  return `the error ${answer.code} ${answer.errorKind ?? 'without data.kind'}${reason}`;
}
