import type { CheckId } from '../checks/catalogue.js';
import type { PassName } from '../checks/finding.js';
import type { LiveCommand } from '../replay/drive-context.js';
import type { Difference } from '../wire/difference.js';
import { blamedOn } from './blame.js';
import { describeAnswer, isRejection } from './compare-answers.js';
import { describeEvent } from './effects.js';
import { judgeConflict } from './judge-conflict.js';
import { reordered } from './lines.js';
import { type Mutation, type MutationMeans, mutationsOf } from './mutations.js';
import { called, judge, judgeSameAnswer, type Probe, replay } from './probe.js';
import type { OpenTurns } from './quiesce.js';
import { judgeNoNewSession } from './session-count.js';
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

/** What the replays of a host's commands share. */
export interface ReplayGround {
  readonly watch: ViewWatch;
  readonly means: MutationMeans;
  readonly open: OpenTurns;
}

/** Replays of one command once the exchange is over: the same frame, the same payload otherwise written, other payloads. */
export async function replayCommand(
  probe: Probe,
  command: LiveCommand,
  ground: ReplayGround,
  checks: ReplayChecks,
): Promise<void> {
  const isRejected = isRejection(command.answer);
  if (
    isRejected ? probe.passes.has('rejected') || checks.pass === 'restart' : wantsDuplicates(probe, checks)
  ) {
    await replayUnchanged(probe, command, ground, checks);
  }
  if (probe.passes.has('conflict')) await replayConflicts(probe, command, ground, checks);
}

function wantsDuplicates(probe: Probe, checks: ReplayChecks): boolean {
  return probe.passes.has(checks.pass) || (checks.pass === 'duplicate' && probe.passes.has('reordered'));
}

/** The frame as it was sent, and with its members in another order: answered as the first time, and without effect. */
async function replayUnchanged(
  probe: Probe,
  command: LiveCommand,
  ground: ReplayGround,
  checks: ReplayChecks,
): Promise<void> {
  const isRejected = isRejection(command.answer);
  const pass = isRejected && checks.pass === 'duplicate' ? 'rejected' : checks.pass;
  const isReordered = probe.passes.has('reordered') && checks.pass === 'duplicate';
  const again = () => replay(probe, checks.pass, command);
  const allAgain = async () => {
    await again();
    if (isReordered) await replay(probe, 'reordered', command, reordered(command.line));
  };
  await judgeNoNewSession(probe, checks.duplicateEffect, pass, command, async () => {
    const isSame = judgeSameAnswer(
      probe,
      isRejected ? checks.rejection : checks.duplicate,
      pass,
      command,
      await again(),
      checks.circumstance,
    );
    if (isReordered && isSame) await replayReordered(probe, command);
  });
  await judgeEffects(probe, checks.duplicateEffect, pass, command, ground, allAgain);
}

async function replayReordered(probe: Probe, command: LiveCommand): Promise<void> {
  const answer = await replay(probe, 'reordered', command, reordered(command.line));
  judgeSameAnswer(
    probe,
    'idempotency/reordered-is-duplicate',
    'reordered',
    command,
    answer,
    'with its members in another order',
  );
}

/** Other payloads under the same id: refused as conflicts, without effect, and the original is still answered. */
async function replayConflicts(
  probe: Probe,
  command: LiveCommand,
  ground: ReplayGround,
  checks: ReplayChecks,
): Promise<void> {
  const pass = checks.pass === 'duplicate' ? 'conflict' : checks.pass;
  const mutations = mutationsOf(command, ground.means);
  if (mutations.length === 0) {
    const message = `${command.method} has nothing but its target to change, and another target would make another command.`;
    return judge(probe, checks.conflict, pass, command, { status: 'notApplicable', message });
  }
  await judgeNoNewSession(probe, checks.conflictEffect, pass, command, async () => {
    for (const mutation of mutations) await replayConflict(probe, command, mutation, checks.conflict, pass);
  });
  const resend = async () => {
    for (const { line } of mutations) await replay(probe, pass, command, line);
  };
  await judgeEffects(probe, checks.conflictEffect, pass, command, ground, resend);
  const original = await replay(probe, pass, command);
  judgeSameAnswer(probe, checks.original, pass, command, original, 'after a conflicting payload');
}

/** Sends one other payload under the command's id and judges the answer alone. */
export async function replayConflict(
  probe: Probe,
  command: LiveCommand,
  { what, line }: Mutation,
  id: CheckId,
  pass: PassName,
): Promise<void> {
  const answer = await replay(probe, pass, command, line);
  const status = judgeConflict(command, line, answer);
  if (status === 'passed') return judge(probe, id, pass, command, { status });
  const message =
    `${called(command)} was sent again under its commandId with ${what}. ` +
    `Expected commandRejected (-32030) with reason command_id_conflict, got ${describeAnswer(answer)}.`;
  const expected = { code: -32030, data: { kind: 'commandRejected', reason: 'command_id_conflict' } };
  const actual = answer.value;
  const differences: readonly Difference[] =
    answer.kind === 'error'
      ? [{ path: '/error', kind: 'changed', expected, actual }]
      : [
          { path: '/error', kind: 'missing', expected },
          { path: '/result', kind: 'extra', actual },
        ];
  judge(probe, id, pass, command, { status, message, differences });
}

/** Reads the views: nothing may have happened since the last look that stems from the replay. */
async function judgeEffects(
  probe: Probe,
  id: CheckId,
  pass: PassName,
  command: LiveCommand,
  { watch, open }: ReplayGround,
  repeat: () => Promise<unknown>,
): Promise<void> {
  const blamed = await blamedOn(probe, command, watch, open, repeat);
  const [first] = blamed;
  if (first !== undefined) {
    const message = `A replay of ${called(command)} had an effect of its own: ${blamed.map(describeEvent).join(', ')}.`;
    return judge(probe, id, pass, command, {
      status: 'failed',
      message,
      differences: [{ path: '', kind: 'extra', actual: first.params }],
    });
  }
  const blind = watch.blindFor(command.sessionId);
  judge(probe, id, pass, command, {
    status: blind === undefined ? 'passed' : 'untestable',
    message:
      blind === undefined
        ? ''
        : `Whether a replay of ${called(command)} had an effect cannot be seen: ${blind}.`,
  });
}
