import { v4 as mintV4 } from 'uuid';
import type { CheckId } from '../checks/catalogue.js';
import type { LiveCommand } from '../replay/drive-context.js';
import type { Answer } from '../replay/exchange.js';
import { removeMember, replaceValue } from '../wire/rewrite.js';
import { blamedOn } from './blame.js';
import { describeAnswer } from './compare-answers.js';
import { describeEvent } from './effects.js';
import { judge, type Probe, replay, resultOf } from './probe.js';
import type { OpenTurns } from './quiesce.js';
import type { ViewEvent } from './view.js';
import type { ViewWatch } from './view-watch.js';

const COMMAND_ID = ['params', 'commandId'] as const;

/** Commands with a bad commandId. The documents decide the missing one; on the others they are silent. */
const PROBES: readonly {
  readonly id: CheckId;
  readonly what: string;
  readonly isDecided: boolean;
  malform(line: string): string;
}[] = [
  {
    id: 'idempotency/missing-command-id',
    what: 'without a commandId',
    isDecided: true,
    malform: (line) => removeMember(line, COMMAND_ID),
  },
  {
    id: 'idempotency/malformed-command-id',
    what: 'with the commandId null',
    isDecided: false,
    malform: (line) => replaceValue(line, COMMAND_ID, 'null'),
  },
  {
    id: 'idempotency/malformed-command-id',
    what: 'with a commandId that is no UUID',
    isDecided: false,
    malform: (line) => replaceValue(line, COMMAND_ID, '"not-a-uuid"'),
  },
  {
    id: 'idempotency/malformed-command-id',
    what: 'with a UUIDv4 as commandId',
    isDecided: false,
    malform: (line) => replaceValue(line, COMMAND_ID, JSON.stringify(mintV4())),
  },
];

/**
 * One command of each method again with a bad commandId. The last thing that is tried on a host: a server may
 * accept what the documents do not forbid.
 */
export async function malformedReplays(
  probe: Probe,
  commands: readonly LiveCommand[],
  watch: ViewWatch,
  open: OpenTurns,
): Promise<void> {
  const methods = new Map(commands.map((command) => [command.method, command]));
  for (const { id, what, isDecided, malform } of PROBES) {
    for (const command of methods.values()) {
      const send = () => replay(probe, 'malformed', command, malform(command.line));
      const answer = await send();
      const effects = () => blamedOn(probe, command, watch, open, send);
      if (isDecided) judgeMissing(probe, id, command, answer, answer.kind === 'error' ? await effects() : []);
      else judgeOpen(probe, id, command, answer, what);
    }
  }
}

function judgeMissing(
  probe: Probe,
  id: CheckId,
  command: LiveCommand,
  answer: Answer,
  effects: readonly ViewEvent[],
): void {
  const isRefused = answer.kind === 'error' && answer.errorKind === 'invalidParams';
  if (isRefused && effects.length === 0)
    return void judge(probe, id, 'malformed', command, { status: 'passed' });
  const minted = resultOf(answer)['commandId'];
  const found =
    effects.length > 0
      ? `it had an effect (${effects.map(describeEvent).join(', ')})`
      : `got ${describeAnswer(answer)}${typeof minted === 'string' ? ' with a commandId that the server minted' : ''}`;
  judge(probe, id, 'malformed', command, {
    status:
      answer.kind === 'result' || effects.length > 0 || answer.errorKind === 'internal'
        ? 'failed'
        : severity(answer),
    message: `${command.method} without a commandId must be refused with invalidParams (-32602); ${found}.`,
  });
}

/** Which of several faults a server looks for first is not stated: another typed refusal is worth a warning. */
function severity(answer: Answer): 'failed' | 'warned' {
  return answer.errorKind === undefined || answer.errorKind === 'commandRejected' ? 'failed' : 'warned';
}

function judgeOpen(probe: Probe, id: CheckId, command: LiveCommand, answer: Answer, what: string): void {
  const isAccepted = answer.kind === 'result';
  judge(probe, id, 'malformed', command, {
    status: isAccepted ? 'warned' : 'passed',
    message: isAccepted
      ? `${command.method} ${what} was accepted. The documents ask clients for a UUIDv7 and do not say that a server must refuse others.`
      : '',
  });
}
