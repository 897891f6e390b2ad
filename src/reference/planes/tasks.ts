import { command, type Decision } from '../admission.js';
import type { Call } from '../call.js';
import { Rejection } from '../errors.js';
import { completeItem, updateItem } from '../items.js';
import type { Method } from '../method.js';
import { advance } from '../run.js';
import type { Session } from '../session.js';
import { type Item, isComplete } from '../state.js';

export const TASK_METHODS: readonly Method[] = [
  command('task/background', sendToBackground),
  command('task/stop', stopTask, { isCarrierless: true }),
  command('task/stopAll', stopAllTasks, { isCarrierless: true }),
];

function sendToBackground(call: Call, session: Session): Decision {
  const task = taskNamed(call, session);
  const { run } = session;
  if (run?.wait?.for !== 'task' || run.wait.id !== task.itemId) {
    throw new Rejection('not_in_foreground', `task ${task.itemId} does not run in the foreground`);
  }
  return {
    ack: { taskId: task.itemId },
    effect: () => {
      updateItem(session, task.itemId, { background: true, backgroundInitiator: 'user' });
      run.foreground.delete(task.itemId);
      advance(session, { outcome: 'backgrounded' });
    },
  };
}

/** A task that is over is stopped as asked. One in the foreground belongs to its turn, which has stops of its own. */
function stopTask(call: Call, session: Session): Decision {
  const task = taskNamed(call, session);
  if (!isComplete(task) && task['background'] !== true) {
    throw new Rejection('not_in_background', `task ${task.itemId} runs in the foreground; stop its turn`);
  }
  return { ack: { taskId: task.itemId }, effect: () => stop(session, task.itemId) };
}

function stopAllTasks(_: Call, session: Session): Decision {
  return {
    effect: () => {
      for (const item of session.state.items.values())
        if (item['background'] === true) stop(session, item.itemId);
    },
  };
}

function stop(session: Session, itemId: string): void {
  completeItem(session, itemId, 'cancelled', { failureReason: 'stopped' });
}

function taskNamed(call: Call, session: Session): Item {
  const taskId = call.params['taskId'] as string;
  const item = session.state.items.get(taskId);
  if (item?.kind !== 'toolCall') throw new Rejection('unknown_task', `there is no task ${taskId}`);
  return item;
}
