import { command, type Decision, query } from '../admission.js';
import type { Call } from '../call.js';
import { invalidParams, ProtocolError } from '../errors.js';
import type { JsonObject } from '../json.js';
import { findSession } from '../loading.js';
import type { Method } from '../method.js';
import { CHOICES, nextStage, resolveApproval } from '../prompts/approval.js';
import { advance, endTurn } from '../run.js';
import type { Session } from '../session.js';
import { pendingApprovals, pendingUserInputs } from '../state.js';

export const APPROVAL_METHODS: readonly Method[] = [
  command('approval/decide', decide),
  query('approval/listPending', listPending),
];

interface Requirement {
  readonly approvalId: string;
  readonly sourceIndex: number;
}

function decide(call: Call, session: Session): Decision {
  const { approvalId, choiceId, requirementId, feedback } = call.params as {
    approvalId: string;
    choiceId: string;
    requirementId: unknown;
    feedback?: string | null;
  };
  const request = pendingRequest(session, approvalId);
  assertCurrent(request, requirementId as Requirement);
  const choice = CHOICES.find((known) => known['choiceId'] === choiceId);
  if (!choice) {
    throw new ProtocolError('approvalChoiceInvalid', `${choiceId} is not one of the choices`, {
      approvalId,
      choiceId,
    });
  }
  if (feedback != null && choice['acceptsFeedback'] !== true) {
    throw invalidParams(`feedback: the choice ${choiceId} takes none`);
  }
  const isTerminal = !isStageLeft(request) || !(choice['decision'] as string).startsWith('approved');
  return {
    ack: { approvalId, terminal: isTerminal },
    effect: () => {
      if (isTerminal) conclude(session, request, choice, call.commandId);
      else nextStage(session, request, choice);
    },
  };
}

function pendingRequest(session: Session, approvalId: string): JsonObject {
  const approval = session.state.approvals.get(approvalId);
  if (!approval)
    throw new ProtocolError('approvalNotFound', `there is no approval ${approvalId}`, { approvalId });
  if (!approval.resolution) return approval.request;
  throw new ProtocolError('approvalAlreadyResolved', `approval ${approvalId} is resolved`, {
    approvalId,
    resolution: approval.resolution,
  });
}

/** A decision aimed at one stage never satisfies another. */
function assertCurrent(request: JsonObject, requirement: Requirement): void {
  const current = request['currentRequirementId'] as Requirement;
  const { approvalId, sourceIndex } = requirement;
  if (approvalId === current.approvalId && sourceIndex === current.sourceIndex) return;
  throw new ProtocolError('approvalRequirementStale', 'the approval is at another requirement', {
    approvalId: current.approvalId,
    currentRequirementId: current,
  });
}

function isStageLeft(request: JsonObject): boolean {
  const { stages } = request['subject'] as { stages: readonly unknown[] };
  return (request['currentRequirementId'] as Requirement).sourceIndex + 1 < stages.length;
}

function conclude(session: Session, request: JsonObject, choice: JsonObject, commandId: string): void {
  const decision = choice['decision'] as string;
  resolveApproval(session, request, { decision, resolvedBy: 'user', commandId });
  if (session.run?.wait?.id !== request['approvalId']) return;
  if (decision === 'abort') endTurn(session, { terminal: 'cancelled', reason: 'the approval was aborted' });
  else advance(session, { decision });
}

async function listPending(call: Call): Promise<JsonObject> {
  const { state } = await findSession(call.host, call.sessionId);
  return { approvals: pendingApprovals(state), userInputs: pendingUserInputs(state) };
}
