import type { CheckId } from '../checks/catalogue.js';
import type { PassName } from '../checks/finding.js';
import type { DriveOutcome } from '../replay/drive.js';
import type { DriveContext } from '../replay/drive-context.js';
import type { Answer, NoAnswer } from '../replay/exchange.js';
import type { ClientStep } from '../replay/script.js';
import { describeAnswer } from './compare-answers.js';
import { reportDeath } from './death.js';
import { PassEnded, type Probe } from './probe.js';

/** No host could be brought as far as the next part needs it; why has been reported. */
export class GroundLost extends PassEnded {}

/** What a drive is repeated for: the check that has failed with it when the server is at fault. */
export interface Repetition {
  readonly id: CheckId;
  readonly pass: PassName;
  /** How messages name the drive. */
  readonly what: string;
}

/**
 * Reports a drive that did not get as far as the undisturbed one before it. A server that refuses a command with
 * something that no circumstance explains, dies or falls silent has failed; whatever else kept the drive back leaves
 * untested what it was for. True when a time limit decided it.
 */
export async function reportFailedDrive(
  probe: Probe,
  context: DriveContext,
  outcome: DriveOutcome,
  { id, pass, what }: Repetition,
): Promise<boolean> {
  const reason = 'reason' in outcome ? outcome.reason : 'The recording ends this host before that.';
  const trouble = await firstTrouble(context);
  if (trouble?.outcome.kind === 'none' && trouble.outcome.why === 'closed') {
    await reportDeath(probe, pass, reason);
    return false;
  }
  const isFault = trouble !== undefined && isInexplicable(trouble.outcome);
  const how =
    trouble !== undefined && trouble.outcome.kind !== 'none'
      ? ` It answered ${trouble.step.method} (line ${trouble.step.line}) with ${describeAnswer(trouble.outcome)}, and had accepted it in the drive before.`
      : '';
  probe.findings.add(id, pass, {
    status: isFault ? 'failed' : 'untestable',
    message: `${what} did not get as far as the drive before: ${reason}${isFault ? how : ''}`,
    ...(trouble !== undefined && { step: trouble.step.line, method: trouble.step.method ?? '' }),
    ...(isFault && { evidence: context.exchange.trace.tail() }),
  });
  return 'timedOut' in outcome && outcome.timedOut === true;
}

interface Trouble {
  readonly step: ClientStep;
  readonly outcome: Answer | NoAnswer;
}

/** The first request that got no result although the recording has one for it. */
async function firstTrouble(context: DriveContext): Promise<Trouble | undefined> {
  for (const step of context.script.steps) {
    if (step.kind !== 'client' || step.response?.frame.message.kind !== 'success') continue;
    const outcome = await context.outcomeOf(step)?.outcome;
    if (outcome !== undefined && outcome.kind !== 'result') return { step, outcome };
  }
  return undefined;
}

/** Neither a host that was killed before nor one on which much has been replayed may answer so. */
const INEXPLICABLE: ReadonlySet<string> = new Set(['internal', 'invalidParams', 'methodNotFound']);

function isInexplicable(outcome: Answer | NoAnswer): boolean {
  return outcome.kind === 'none' || (outcome.kind === 'error' && INEXPLICABLE.has(outcome.errorKind ?? ''));
}
