import { subjectKey } from '../fold.js';
import { type JsonObject, present } from '../json.js';
import type { Session } from '../session.js';
import { pendingApprovals } from '../state.js';

/** A shell command that a tool call wants to run. */
export interface ApprovalSubject {
  readonly turnId: string;
  readonly itemId: string;
  readonly toolName: string;
  /** The arguments as the model wrote them: JSON text. */
  readonly rawArgs: string;
  /** The simple commands of the line, each a requirement of its own: `['make', 'test']`. */
  readonly stages: readonly (readonly string[])[];
}

/** Everything a client may choose, at every stage. */
export const CHOICES: readonly JsonObject[] = [
  { choiceId: 'allow_once', label: 'Allow once', decision: 'approved', scope: 'once' },
  {
    choiceId: 'allow_session',
    label: 'Allow for this session',
    decision: 'approvedForSession',
    scope: 'session',
  },
  { choiceId: 'deny', label: 'Deny', decision: 'denied', scope: 'once', acceptsFeedback: true },
  { choiceId: 'abort', label: 'Deny and stop', decision: 'abort', scope: 'once' },
];

/** What the approval mode and the session's grants say before anybody is asked. */
export function policyVerdict(session: Session, subject: ApprovalSubject): 'ask' | 'allow' | 'deny' {
  if (session.state.approvalMode.mode === 'allowAll') return 'allow';
  if (session.state.sessionGrants.has(subjectKey({ ...subject }))) return 'allow';
  return session.state.approvalMode.mode === 'denyUnmatched' ? 'deny' : 'ask';
}

/** Puts a request on the view. With nobody to ask, the policy's verdict follows at once. */
export function openApproval(session: Session, subject: ApprovalSubject, approvalId: string): void {
  const { turnId, itemId, toolName, rawArgs } = subject;
  session.emit('approval/requested', {
    approvalId,
    turnId,
    taskId: itemId,
    itemId,
    toolCallId: `call_${itemId.slice(-8)}`,
    toolName,
    rawArgs,
    subject: subjectAt(session, subject, approvalId, 0),
    currentRequirementId: { approvalId, sourceIndex: 0 },
    availableChoices: CHOICES,
    protectedWrite: false,
    judgeEscalated: false,
  });
}

/** Asks every subscriber. What they answer is a receipt; the decision is a command. */
export function presentApproval(session: Session, approvalId: string): void {
  const approval = session.state.approvals.get(approvalId);
  if (approval) session.present('approval/request', approval.request);
}

/** The choice satisfied one requirement and there is another one. */
export function nextStage(session: Session, request: JsonObject, choice: JsonObject): void {
  const approvalId = request['approvalId'] as string;
  const requirementId = request['currentRequirementId'] as { approvalId: string; sourceIndex: number };
  const sourceIndex = requirementId.sourceIndex + 1;
  const subject = request['subject'] as { stages: readonly JsonObject[] };
  session.emit('approval/updated', {
    approvalId,
    availableChoices: CHOICES,
    change: {
      kind: 'requirementSatisfied',
      choiceId: choice['choiceId'],
      decision: choice['decision'],
      requirementId,
    },
    currentRequirementId: { approvalId, sourceIndex },
    subject: {
      ...subject,
      stages: subject.stages.map((stage, index) => resolvedStage(stage, index < sourceIndex)),
    },
  });
  presentApproval(session, approvalId);
}

/** The first durable terminal of a request. */
export function resolveApproval(
  session: Session,
  request: JsonObject,
  by: {
    readonly decision: string;
    readonly resolvedBy: 'user' | 'policy';
    readonly commandId?: string;
  },
): void {
  const isAllowed = by.decision.startsWith('approved');
  const stages = (request['subject'] as { stages: readonly JsonObject[] }).stages;
  session.emit(
    'approval/resolved',
    present({
      approvalId: request['approvalId'],
      itemId: request['itemId'],
      turnId: request['turnId'],
      decision: by.decision,
      policyResult: isAllowed ? 'allow' : 'deny',
      resolvedBy: by.resolvedBy,
      decidedByCommandId: by.commandId,
      decidedAt: session.now(),
      amendment:
        by.decision === 'approvedForSession'
          ? { durability: 'session', rulePreview: `${request['toolName']} ${request['rawArgs']}` }
          : undefined,
      stageEvidence: isAllowed ? stages.map(evidenceOf) : [],
    }),
  );
}

/** Closes what a turn that ends leaves open. */
export function abortApprovals(session: Session, turnId: string): void {
  for (const request of pendingApprovals(session.state)) {
    if (request['turnId'] === turnId)
      resolveApproval(session, request, { decision: 'abort', resolvedBy: 'policy' });
  }
}

function subjectAt(
  session: Session,
  subject: ApprovalSubject,
  approvalId: string,
  current: number,
): JsonObject {
  return present({
    kind: 'shell',
    toolName: subject.toolName,
    command: subject.stages.map((argv) => argv.join(' ')).join(' && '),
    workspaceRoot: session.state.workspaceRoots[0],
    stages: subject.stages.map((argv, index) =>
      resolvedStage(
        {
          argv,
          argvComplete: true,
          position: index,
          requirementId: { approvalId, sourceIndex: index },
          totalStages: subject.stages.length,
        },
        index < current,
      ),
    ),
  });
}

function resolvedStage(stage: JsonObject, isSatisfied: boolean): JsonObject {
  return { ...stage, resolution: { kind: isSatisfied ? 'approved' : 'unmatched' } };
}

function evidenceOf(stage: JsonObject): JsonObject {
  const { argv, position, requirementId, totalStages } = stage;
  return { argv, position, requirementId, totalStages, resolution: { kind: 'approved' } };
}
