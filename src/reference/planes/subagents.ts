import { command, type Decision } from '../admission.js';
import type { Call } from '../call.js';
import { invalidParams, Rejection } from '../errors.js';
import { budgeted, completeItem, openItem, updateItem } from '../items.js';
import type { JsonObject } from '../json.js';
import type { Method } from '../method.js';
import type { Session } from '../session.js';
import { type Item, isComplete } from '../state.js';

/**
 * A child's life on its parent's view. `controlStatus` is the state, the item's `status` says whether it is over:
 *
 *   running -- interrupt --> recoveryPending -- resume --> running
 *   running -- a body that says `finish` --> resultReady -- readResult --> closed
 *   running, recoveryPending, resultReady -- stop, close --> closed
 *   closed -- reopen --> running, as a new item: a later attempt of the same child
 */
export const SUBAGENT_METHODS: readonly Method[] = [
  command('subagent/sendMessage', say),
  command('subagent/followupTask', say),
  command('subagent/interrupt', (call, session) =>
    step(call, session, ['running'], { controlStatus: 'recoveryPending', ...reasonOf(call) }),
  ),
  command('subagent/resume', (call, session) =>
    step(call, session, ['recoveryPending'], { controlStatus: 'running', fallbackText: 'resumed' }),
  ),
  command('subagent/stop', (call, session) => end(call, session, 'cancelled')),
  command('subagent/close', (call, session) => end(call, session, 'completed')),
  command('subagent/readResult', readResult),
  command('subagent/reopen', reopen),
];

/** Puts a new child on the view. It lives until it is closed, or its host ends. */
export function spawnSubagent(session: Session, turnId: string, objective: string): void {
  openChild(session, turnId, session.host.ids.next(), objective);
}

function openChild(session: Session, turnId: string | null, subagentId: string, objective: string): void {
  const { text, truncated } = budgeted(objective);
  openItem(session, {
    kind: 'subagent',
    turnId,
    subagentId,
    role: 'worker',
    depth: 1,
    objective: text,
    controlStatus: 'running',
    ...(truncated && { truncated }),
  });
}

function say(call: Call, session: Session): Decision {
  const body = (call.params['body'] as string).trim();
  if (body === '') throw invalidParams('body: expected a text that is not blank');
  const result = { summary: `finished: ${body}`, artifactRefs: [], evidenceRefs: [] };
  const isLast = body.startsWith('finish');
  return step(call, session, ['running', 'recoveryPending'], {
    fallbackText: `${call.method === 'subagent/sendMessage' ? 'note' : 'task'}: ${body}`,
    ...(isLast && { controlStatus: 'resultReady', result }),
  });
}

function step(call: Call, session: Session, from: readonly string[], changes: JsonObject): Decision {
  const child = childIn(call, session, from);
  return { effect: () => updateItem(session, child.itemId, changes) };
}

function end(call: Call, session: Session, status: 'cancelled' | 'completed'): Decision {
  const child = childIn(call, session, ['running', 'recoveryPending', 'resultReady']);
  const changes = { controlStatus: 'closed', ...reasonOf(call) };
  return { effect: () => completeItem(session, child.itemId, status, changes) };
}

function readResult(call: Call, session: Session): Decision {
  const child = childIn(call, session, ['resultReady']);
  return { effect: () => completeItem(session, child.itemId, 'completed', { controlStatus: 'closed' }) };
}

function reopen(call: Call, session: Session): Decision {
  const child = latest(call, session);
  if (!isComplete(child)) throw new Rejection('not_closed', 'the subagent is at work');
  const { turnId, subagentId, objective } = child as Item & { subagentId: string; objective: string };
  return { effect: () => openChild(session, turnId, subagentId, objective) };
}

function childIn(call: Call, session: Session, states: readonly string[]): Item {
  const child = latest(call, session);
  if (!isComplete(child) && states.includes(child['controlStatus'] as string)) return child;
  throw new Rejection(
    'wrong_state',
    `the subagent is ${child['controlStatus']}, expected ${states.join(' or ')}`,
  );
}

/** The latest attempt of the child. */
function latest(call: Call, session: Session): Item {
  const { subagentId } = call.params;
  const attempts = [...session.state.items.values()].filter((item) => item['subagentId'] === subagentId);
  const child = attempts.at(-1);
  if (!child) throw new Rejection('unknown_subagent', `there is no subagent ${subagentId}`);
  return child;
}

function reasonOf({ params }: Call): JsonObject {
  return params['reason'] === undefined ? {} : { failureReason: params['reason'] };
}
