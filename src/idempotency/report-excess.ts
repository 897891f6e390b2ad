import type { CheckId } from '../checks/catalogue.js';
import type { PassName } from '../checks/finding.js';
import type { LiveCommand } from '../replay/drive-context.js';
import type { Excess } from './effects.js';
import type { InlineOutcome } from './inline-drive.js';
import { called, judge, type Probe } from './probe.js';

/**
 * Reports for every command of a drive whether it had one effect, under the check of the pass that replayed it. An
 * excess that names no command acquits nobody.
 */
export function reportSingleEffects(
  probe: Probe,
  id: CheckId,
  pass: PassName,
  { commands, excess, blind }: InlineOutcome,
  how: string,
): void {
  const isUnclear = excess.some(({ command }) => command === undefined);
  for (const command of commands) {
    if (command.answer.kind !== 'result') continue;
    const own = excess.filter((entry) => entry.command?.commandId === command.commandId);
    if (own.length > 0) reportExcess(probe, id, pass, command, own, how);
    else if (blind !== undefined) {
      const message = `Whether ${called(command)}, ${how}, had one effect cannot be seen: ${blind}.`;
      judge(probe, id, pass, command, { status: 'untestable', message });
    } else if (!isUnclear) judge(probe, id, pass, command, { status: 'passed' });
  }
}

export function reportExcess(
  probe: Probe,
  id: CheckId,
  pass: PassName,
  command: LiveCommand,
  excess: readonly Excess[],
  how: string,
): void {
  const message = `${called(command)}, ${how}, had more than one effect: ${excess.map(describeExcess).join('; ')}.`;
  judge(probe, id, pass, command, { status: 'failed', message });
}

export function describeExcess({ what, count, allowed }: Excess): string {
  return `${what}: ${count}, where ${allowed} ${allowed === 1 ? 'is' : 'are'} due`;
}
