import type { PassName } from '../checks/finding.js';
import type { CheckId } from '../checks/catalogue.js';
import type { LiveCommand } from '../replay/drive-context.js';
import { isConflict, isRejection } from './compare-answers.js';
import { describeAnswer } from './compare-answers.js';
import { blamedOn } from './blame.js';
import { describeEvent } from './effects.js';
import { saysPromptIsOver } from './exceptions.js';
import { reordered } from './lines.js';
import { mutationsOf, type MutationMeans } from './mutations.js';
import { called, judge, judgeSameAnswer, type Probe, replay } from './probe.js';
import type { ViewWatch } from './view-watch.js';

/** The check ids under which one circumstance (same host, after a restart) reports. */
export interface ReplayChecks {
  readonly pass: PassName;
  readonly duplicate: CheckId;
  readonly duplicateEffect: CheckId;
  readonly conflict: CheckId;
  readonly conflictEffect: CheckId;
  readonly original: CheckId;
  readonly rejection: CheckId;
  /** How the circumstance is named in a sentence. */
  readonly circumstance: string;
}

/** Replays of one command once the exchange is over: the same frame, the same payload otherwise written, other payloads. */
export async function replayCommand(
  probe: Probe,
  command: LiveCommand,
  watch: ViewWatch,
  means: MutationMeans,
  isQuiet: boolean,
  checks: ReplayChecks,
): Promise<void> {
  const again = () => replay(probe, checks.pass, command);
  const isRejected = isRejection(command.answer);
  if (isRejected ? probe.passes.has('rejected') || checks.pass === 'restart' : wantsDuplicates(probe, checks)) {
    const pass = isRejected && checks.pass === 'duplicate' ? 'rejected' : checks.pass;
    const id = isRejected ? checks.rejection : checks.duplicate;
    const isSame = judgeSameAnswer(probe, id, pass, command, await again(), checks.circumstance);
    if (probe.passes.has('reordered') && checks.pass === 'duplicate' && isSame) await replayReordered(probe, command);
    await judgeEffects(probe, checks.duplicateEffect, pass, command, watch, isQuiet, again);
  }
  if (probe.passes.has('conflict')) await replayConflicts(probe, command, watch, means, isQuiet, checks);
}

function wantsDuplicates(probe: Probe, checks: ReplayChecks): boolean {
  return probe.passes.has(checks.pass) || (checks.pass === 'duplicate' && probe.passes.has('reordered'));
}

async function replayReordered(probe: Probe, command: LiveCommand): Promise<void> {
  const answer = await replay(probe, 'reordered', command, reordered(command.line));
  judgeSameAnswer(probe, 'idempotency/reordered-is-duplicate', 'reordered', command, answer, 'with its members in another order');
}

/** Other payloads under the same id: refused as conflicts, without effect, and the original is still answered. */
async function replayConflicts(
  probe: Probe,
  command: LiveCommand,
  watch: ViewWatch,
  means: MutationMeans,
  isQuiet: boolean,
  checks: ReplayChecks,
): Promise<void> {
  const pass = checks.pass === 'duplicate' ? 'conflict' : checks.pass;
  const mutations = mutationsOf(command, means);
  if (mutations.length === 0) return;
  for (const { what, line } of mutations) {
    const answer = await replay(probe, pass, command, line);
    if (isConflict(answer)) {
      judge(probe, checks.conflict, pass, command, { status: 'passed' });
      continue;
    }
    const isOpen = saysPromptIsOver(command.method, answer.errorKind);
    const message =
      `${called(command)} was sent again under its commandId with ${what}. ` +
      `Expected commandRejected (-32030) with reason command_id_conflict, got ${describeAnswer(answer)}.`;
    const expected = { code: -32030, data: { kind: 'commandRejected', reason: 'command_id_conflict' } };
    const differences = [{ path: `/${answer.kind}`, kind: 'changed', expected, actual: answer.value }] as const;
    judge(probe, checks.conflict, pass, command, { status: isOpen ? 'warned' : 'failed', message, differences });
  }
  const resend = () => replay(probe, pass, command, mutations[0]?.line);
  await judgeEffects(probe, checks.conflictEffect, pass, command, watch, isQuiet, resend);
  const original = await replay(probe, pass, command);
  judgeSameAnswer(probe, checks.original, pass, command, original, 'after a conflicting payload');
}

/** Reads the views: nothing may have happened since the last look that stems from the replay. */
async function judgeEffects(
  probe: Probe,
  id: CheckId,
  pass: PassName,
  command: LiveCommand,
  watch: ViewWatch,
  isQuiet: boolean,
  repeat: () => Promise<unknown>,
): Promise<void> {
  const blamed = await blamedOn(probe, command, watch, isQuiet, repeat);
  const [first] = blamed;
  judge(probe, id, pass, command, {
    status: first === undefined ? 'passed' : 'failed',
    message:
      first === undefined
        ? ''
        : `A replay of ${called(command)} had an effect of its own: ${blamed.map(describeEvent).join(', ')}.`,
    ...(first !== undefined && { differences: [{ path: '', kind: 'extra', actual: first.params }] as const }),
  });
}
