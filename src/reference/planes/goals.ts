import { command, type Decision } from '../admission.js';
import type { Call } from '../call.js';
import { invalidParams, Rejection } from '../errors.js';
import type { Method } from '../method.js';
import { launch } from '../run.js';
import type { Session } from '../session.js';
import type { Goal } from '../state.js';

export const GOAL_METHODS: readonly Method[] = [
  command('goal/set', (call, session) =>
    change(call, session, { objective: objectiveOf(call), status: 'active', percentComplete: 0 }),
  ),
  command('goal/edit', (call, session) => {
    const objective = objectiveOf(call);
    return change(call, session, { ...goalOf(session), objective });
  }),
  command(
    'goal/resume',
    bare((call, session) => change(call, session, { ...goalOf(session), status: 'active' })),
  ),
  command(
    'goal/pause',
    bare((_, session) => quiet(session, { ...goalOf(session), status: 'paused' })),
  ),
  command(
    'goal/clear',
    bare((_, session) => {
      goalOf(session);
      return quiet(session, undefined);
    }),
  ),
];

type Decide = (call: Call, session: Session) => Decision;

/** These verbs take no objective; to let one pass as an unknown member would hide a mistake. */
function bare(decide: Decide): Decide {
  return (call, session) => {
    if (call.params['objective'] !== undefined) throw invalidParams(`${call.method} takes no objective`);
    return decide(call, session);
  };
}

function objectiveOf(call: Call): string {
  const objective = (call.params['objective'] as string).trim();
  if (objective === '') throw invalidParams('objective: expected a text that is not blank');
  return objective;
}

function goalOf(session: Session): Goal {
  const { goal } = session.state;
  if (!goal) throw new Rejection('missing_goal', 'the session has no goal');
  return goal;
}

/** A goal that is active wakes a turn where none runs; where one does, the ack names it. */
function change(call: Call, session: Session, goal: Goal): Decision {
  const { run } = session;
  if (run) return { ack: { turnId: run.turnId }, effect: () => tell(session, goal) };
  if (goal.status !== 'active') return quiet(session, goal);
  const turn = { turnId: call.commandId, commandId: call.commandId };
  return {
    ack: { turnId: turn.turnId },
    effect: () => {
      tell(session, goal);
      launch(session, turn, { text: goal.objective }, 'goal');
    },
  };
}

function quiet(session: Session, goal: Goal | undefined): Decision {
  return { effect: () => tell(session, goal) };
}

/** A goal that stays as it is is no event. */
function tell(session: Session, goal: Goal | undefined): void {
  const before = session.state.goal;
  if (before?.objective === goal?.objective && before?.status === goal?.status) return;
  session.emit('session/goalChanged', goal ? { goal } : {});
}
