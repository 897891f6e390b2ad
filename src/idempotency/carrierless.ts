import { v7 as mintUuid } from 'uuid';
import { paramsOfLine } from '../replay/commands.js';
import type { LiveCommand } from '../replay/drive-context.js';
import { isRecord } from '../replay/exchange.js';
import { isCarrierless, targetMember } from './exceptions.js';
import { called, judge, type Probe, replay, resultOf } from './probe.js';

const CHECK = 'idempotency/carrierless-no-new-effect';

/**
 * After a restart: while a newer turn is running, replays the stops whose ledger died with the old host. Those with
 * an explicit target must be answered and leave the newer turn alone. Needs a turn that runs long enough.
 */
export async function carrierlessReplays(
  probe: Probe,
  commands: readonly LiveCommand[],
  resumed: ReadonlySet<string>,
): Promise<void> {
  const stops = commands.filter(
    (command) => isCarrierless(command.method) && command.answer.kind === 'result',
  );
  for (const command of stops) {
    const target = targetMember(command.method);
    const isExplicit = target !== undefined && typeof paramsOfLine(command.line)[target] === 'string';
    if (!isExplicit) {
      const message = `${command.method} names no target: its replay after a restart is resolved anew, as the documents allow.`;
      judge(probe, CHECK, 'carrierless', command, { status: 'notApplicable', message });
    } else if (command.sessionId !== undefined && resumed.has(command.sessionId)) {
      await replayUnderNewerTurn(probe, command, command.sessionId);
    }
  }
}

async function replayUnderNewerTurn(probe: Probe, command: LiveCommand, sessionId: string): Promise<void> {
  const { exchange } = probe.stage;
  const slow = probe.stage.behaviourText('slow');
  if (slow === undefined) {
    const message =
      "A newer turn must be running to see that it is left alone: name one with --behaviour slow='<text>'.";
    judge(probe, CHECK, 'carrierless', command, { status: 'untestable', message });
    return;
  }
  const params = { sessionId, commandId: mintUuid(), input: [{ type: 'text', text: slow }] };
  const started = await exchange.ask('turn/start', params);
  const turnId = started.kind === 'result' ? resultOf(started)['turnId'] : undefined;
  const isRunning = await exchange.until(() => exchange.events.find(isOf('turn/started', turnId)));
  if (turnId === undefined || 'kind' in isRunning) {
    judge(probe, CHECK, 'carrierless', command, {
      status: 'untestable',
      message: 'No newer turn could be brought to run.',
    });
    return;
  }
  await replay(probe, 'carrierless', command);
  const ended = await exchange.until(
    () => exchange.events.find(isOf('turn/completed', turnId)),
    3 * exchange.timeoutMs,
  );
  const terminal = 'value' in ended ? ended.value.params['terminal'] : undefined;
  const wasHit = terminal === 'cancelled';
  judge(probe, CHECK, 'carrierless', command, {
    status: terminal === undefined ? 'untestable' : wasHit ? 'failed' : 'passed',
    message: wasHit
      ? `After a restart a replay of ${called(command)}, which names another turn, cancelled the newer turn ${turnId}.`
      : terminal === undefined
        ? 'The newer turn did not end within the time limit.'
        : '',
  });
}

function isOf(method: string, turnId: unknown) {
  return (event: { readonly method: string; readonly params: unknown }) =>
    event.method === method && isRecord(event.params) && event.params['turnId'] === turnId;
}
