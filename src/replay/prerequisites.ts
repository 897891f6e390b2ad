import { failedLaunch } from './behaviours.js';
import type { DriveContext } from './drive-context.js';
import { isRecord } from './exchange.js';

/** After the handshake: ends the drive as not applicable when the target lacks something that the scenario requires. */
export function checkPrerequisites(result: unknown, context: DriveContext): void {
  const requires = context.script.scenario.manifest?.conformance?.requires;
  const granted =
    isRecord(result) && Array.isArray(result['grantedCapabilities']) ? result['grantedCapabilities'] : [];
  const missing = requires?.capabilities?.find((capability) => !granted.includes(capability));
  if (missing !== undefined)
    context.stop('notApplicable', `the server did not grant the capability ${missing}`);
  const durability = context.stage.identity?.sessionDurability ?? 'durable';
  if (requires?.durability !== undefined && requires.durability !== durability) {
    context.stop(
      'notApplicable',
      `the scenario is about ${requires.durability} sessions; this host's are ${durability}`,
    );
  }
  if (!context.stage.hasFrameLimit) {
    const limit = context.stage.options.frameLimitBytes;
    context.stop(
      'notApplicable',
      `the scenario needs a frame limit of ${limit} bytes; give it to the server with {frameLimitBytes} in its command`,
    );
  }
  const launch = failedLaunch(context.script.steps, context.askedTurns);
  if (launch !== undefined && context.settings.match === 'conformant') {
    context.stop(
      'notApplicable',
      `line ${launch} tells of a turn that failed before it started, and no input brings that about`,
    );
  }
  for (const step of context.script.steps) {
    if (step.kind === 'client' && step.behaviour !== undefined) context.requireBehaviour(step);
  }
}
