import type { CheckId } from '../checks/catalogue.js';
import type { PassName } from '../checks/finding.js';
import type { LiveCommand } from '../replay/drive-context.js';
import type { Excess } from './effects.js';
import { called, judge, type Probe } from './probe.js';

/** Reports for every command of a drive whether it had one effect, under the check of the pass that replayed it. */
export function reportSingleEffects(
  probe: Probe,
  id: CheckId,
  pass: PassName,
  commands: readonly LiveCommand[],
  excess: readonly Excess[],
  how: string,
): void {
  for (const command of commands) {
    if (command.answer.kind !== 'result') continue;
    const own = excess.filter((entry) => entry.command === undefined || entry.command.commandId === command.commandId);
    const isGuilty = own.some((entry) => entry.command !== undefined);
    judge(probe, id, pass, command, {
      status: isGuilty ? 'failed' : 'passed',
      message: isGuilty
        ? `${called(command)} ${how} had more than one effect: ${own.map(describeExcess).join('; ')}.`
        : '',
    });
  }
}

export function describeExcess({ what, count, allowed }: Excess): string {
  return `${what}: ${count}, where ${allowed} ${allowed === 1 ? 'is' : 'are'} due`;
}
