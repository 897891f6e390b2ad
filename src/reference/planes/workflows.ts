import { command, type Decision } from '../admission.js';
import type { Call } from '../call.js';
import { invalidParams, Rejection } from '../errors.js';
import { completeItem, openItem, updateItem } from '../items.js';
import { type JsonObject, present } from '../json.js';
import type { Method } from '../method.js';
import type { Session } from '../session.js';
import { type Item, isComplete } from '../state.js';

/** A run with its children. It is over when it is cancelled, or when every child is. */
export const WORKFLOW_METHODS: readonly Method[] = [
  command('workflow/pause', pause),
  command('workflow/cancel', cancel),
  command('workflow/childControl', controlChild),
];

interface Child extends JsonObject {
  readonly childId: string;
  readonly attempt: number;
  readonly status: string;
}

export function launchWorkflow(session: Session, turnId: string, tokenBudget: number | undefined): void {
  const itemId = session.host.ids.next();
  openItem(
    session,
    present({
      kind: 'workflow',
      turnId,
      workflowRunId: `run-${itemId}`,
      entryId: 'two-children',
      scriptId: 'reference',
      triggerSource: 'modelProposal',
      fallbackText: 'a workflow of two children',
      stopAvailable: true,
      tokenBudget: tokenBudget === undefined ? undefined : { total: tokenBudget },
      children: ['first', 'second'].map((childId) => ({
        childId,
        attempt: 1,
        label: childId,
        status: 'started',
      })),
    }),
    itemId,
  );
}

function pause(call: Call, session: Session): Decision {
  const { itemId, ...item } = liveRun(call, session);
  if (item['paused'] === true) throw new Rejection('already_paused', 'the workflow is paused');
  return { effect: () => updateItem(session, itemId, { paused: true }) };
}

function cancel(call: Call, session: Session): Decision {
  const { itemId } = liveRun(call, session);
  return { effect: () => settle(session, itemId, 'cancelled', {}) };
}

function controlChild(call: Call, session: Session): Decision {
  const { childId, attempt, action } = call.params as {
    childId: string;
    attempt: number;
    action: 'skip' | 'retry';
  };
  const item = liveRun(call, session);
  const children = item['children'] as readonly Child[];
  const current = children.findLast((child) => child.childId === childId);
  if (!current) throw new Rejection('unknown_child', `there is no child ${JSON.stringify(childId)}`);
  if (current.attempt !== attempt)
    throw new Rejection('stale_attempt', `the child is at attempt ${current.attempt}`);
  if (current.status !== 'started') throw new Rejection('child_not_live', `the child is ${current.status}`);
  const ended = children.map((child) => (child === current ? endedBy(action, child) : child));
  const next = action === 'retry' ? [...ended, { ...current, attempt: attempt + 1 }] : ended;
  const isOver = next.every(({ status }) => status !== 'started');
  return {
    effect: () => {
      if (isOver) settle(session, item.itemId, 'completed', { children: next });
      else updateItem(session, item.itemId, { children: next });
    },
  };
}

function endedBy(action: 'skip' | 'retry', child: Child): Child {
  return action === 'skip'
    ? { ...child, status: 'skipped', terminal: 'cancelled' }
    : { ...child, status: 'failed', terminal: 'failed', failureKind: 'retried' };
}

/** A pause is in force only while the run is. */
function settle(
  session: Session,
  itemId: string,
  status: 'cancelled' | 'completed',
  changes: JsonObject,
): void {
  const end = { stopAvailable: false, paused: undefined, message: `the workflow is ${status}` };
  completeItem(session, itemId, status, { ...end, ...changes });
}

function liveRun(call: Call, session: Session): Item {
  const { workflowRunId } = call.params;
  if (workflowRunId === '') throw invalidParams('workflowRunId: expected a text that is not empty');
  const item = [...session.state.items.values()].find((known) => known['workflowRunId'] === workflowRunId);
  if (!item) throw new Rejection('unknown_workflow', `there is no workflow run ${workflowRunId}`);
  if (isComplete(item)) throw new Rejection('workflow_not_live', `the workflow run is ${item.status}`);
  return item;
}
