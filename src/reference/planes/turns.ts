import { backpressured, command, type Decision } from '../admission.js';
import type { Call } from '../call.js';
import { invalidParams, Rejection } from '../errors.js';
import { updateItem } from '../items.js';
import type { Method } from '../method.js';
import { endTurn, launch, type Run, steer } from '../run.js';
import type { Session } from '../session.js';
import type { QueuedTurn } from '../state.js';
import { readSubmission } from '../submission.js';
import { assertWorkspaceRoots } from '../workspace-roots.js';

/** How many submits may wait behind a running turn. */
const QUEUE_CAPACITY = 128;

export const TURN_METHODS: readonly Method[] = [
  command('turn/start', startTurn),
  command('turn/steer', steerTurn),
  command('turn/unqueue', unqueueTurn),
  command('turn/cancel', cancelTurn, { isCarrierless: true }),
  command('turn/interrupt', interruptTurn, { isCarrierless: true }),
];

function startTurn(call: Call, session: Session): Decision {
  const { ifBusy = 'queue', workspaceRoots } = call.params as { ifBusy?: string; workspaceRoots?: string[] };
  if (workspaceRoots) {
    if (ifBusy === 'steer') throw invalidParams('workspaceRoots cannot be given with ifBusy "steer"');
    assertWorkspaceRoots(workspaceRoots);
  }
  const turn: QueuedTurn = {
    turnId: call.host.seams.turnId(call.commandId),
    commandId: call.commandId,
    submission: readSubmission(call, session),
  };
  const { run } = session;
  if (!run) return started(turn, () => launch(session, turn, turn.submission));
  if (ifBusy === 'steer') return steered(session, run, turn);
  if (ifBusy === 'replace') return started(turn, () => replace(session, turn));
  if (session.state.queue.length >= QUEUE_CAPACITY) throw backpressured(QUEUE_CAPACITY);
  return {
    ack: { turnId: turn.turnId, startedNewTurn: false, disposition: 'queued' },
    effect: () => session.record('queued', { turn }),
    isPending: true,
  };
}

function started({ turnId }: QueuedTurn, effect: () => void): Decision {
  return { ack: { turnId, startedNewTurn: true, disposition: 'started' }, effect, isPending: true };
}

function steered(session: Session, run: Run, { commandId, submission }: QueuedTurn): Decision {
  return {
    ack: { turnId: run.turnId, startedNewTurn: false, disposition: 'steered' },
    effect: () => steer(session, run, commandId, submission),
  };
}

/** The replacement goes to the head of the queue, so that it is what the end of the running turn launches. */
function replace(session: Session, turn: QueuedTurn): void {
  session.record('queued', { turn, isNext: true });
  endTurn(session, { terminal: 'cancelled', reason: 'replaced' });
}

function steerTurn(call: Call, session: Session): Decision {
  const expected = call.params['expectedTurnId'] as string;
  const submission = readSubmission(call, session);
  const { run } = session;
  if (run?.turnId !== expected) throw new Rejection('turn_not_active', `turn ${expected} is not running`);
  return {
    ack: { turnId: run.turnId },
    effect: () => steer(session, run, call.commandId, submission),
  };
}

function unqueueTurn(call: Call, session: Session): Decision {
  const turnId = call.params['turnId'] as string;
  const queued = session.state.queue.find((turn) => turn.turnId === turnId);
  if (!queued) throw new Rejection('not_queued', `turn ${turnId} does not wait in the queue`);
  return {
    ack: { turnId },
    effect: () => {
      session.emit('turn/unqueued', { turnId, commandId: queued.commandId });
      session.settle(queued.commandId);
    },
  };
}

function cancelTurn(call: Call, session: Session): Decision {
  if (call.params['retract'] === true) {
    throw new Rejection('not_paired_interrupt', 'a retract is paired with an interrupt, not with a cancel');
  }
  return stop(call, session, () => endTurn(session, { terminal: 'cancelled', reason: 'cancelled' }));
}

function interruptTurn(call: Call, session: Session): Decision {
  return stop(call, session, (run) => {
    pauseGoal(session);
    if (call.params['retract'] === true && run.outputTokens === 0) retract(session, run);
    endTurn(session, { terminal: 'cancelled', reason: 'interrupted' });
  });
}

/** An explicit turn that is over already is stopped as asked: nothing is left to do. Another turn is never touched. */
function stop(call: Call, session: Session, effect: (run: Run) => void): Decision {
  const { run } = session;
  const named = call.params['turnId'] as string | undefined;
  const turnId = call.host.seams.stopTarget(named ?? run?.turnId, { running: run?.turnId });
  if (turnId === undefined) throw new Rejection('missing_run', 'no turn is running');
  if (run?.turnId === turnId) return { ack: { turnId }, effect: () => effect(run) };
  if (session.state.turns.get(turnId)?.end === undefined) {
    throw new Rejection('missing_run', `turn ${turnId} never ran in this session`);
  }
  return { ack: { turnId } };
}

function pauseGoal(session: Session): void {
  const { goal } = session.state;
  if (goal?.status === 'active') session.emit('session/goalChanged', { goal: { ...goal, status: 'paused' } });
}

/** Nothing was answered yet, so the submission can be taken back whole. */
function retract(session: Session, run: Run): void {
  if (run.userMessageId === undefined) return;
  session.emit('turn/retracted', { turnId: run.turnId, commandId: run.commandId });
  updateItem(session, run.userMessageId, { retracted: true });
}
