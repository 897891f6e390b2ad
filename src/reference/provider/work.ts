import { spawnSubagent } from '../planes/subagents.js';
import { observeUsage } from '../planes/usage.js';
import { launchWorkflow } from '../planes/workflows.js';
import type { Stage } from './stage.js';

export function subagent(stage: Stage): undefined {
  spawnSubagent(stage.session, stage.run.turnId, stage.text);
  stage.say('a subagent is at work');
}

export function workflow(stage: Stage): undefined {
  launchWorkflow(stage.session, stage.run.turnId, stage.run.submission.tokenBudget);
  stage.say('a workflow is at work');
}

export function usage(stage: Stage): undefined {
  observeUsage(stage.session.host);
  stage.say('the usage was observed');
}
