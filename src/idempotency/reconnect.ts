import type { LiveCommand } from '../replay/drive-context.js';
import type { Exchange } from '../replay/exchange.js';
import { transportOf } from '../target/spec.js';
import { isRejection } from './compare-answers.js';
import { dropBeforeAck } from './dropped-connection.js';
import { isCarrierless } from './exceptions.js';
import { judge, judgeSameAnswer, type Probe, replay } from './probe.js';
import { secondConnection } from './second-connection.js';
import { VIEW_BESIDE, viewBeside } from './view-beside.js';

const CHECK = 'idempotency/reconnect-duplicate';

/**
 * The same commands on a second connection, and on both at once: the ledger is not connection state. Stdio has one
 * connection for the life of its process, so this is for sockets.
 */
export async function reconnectReplays(probe: Probe, commands: readonly LiveCommand[]): Promise<void> {
  if (transportOf(probe.stage.options.spec) === 'stdio') {
    const message =
      'Over stdio a server has one connection for its life; a new one is a new process (see restart).';
    for (const id of [CHECK, VIEW_BESIDE] as const)
      probe.findings.add(id, 'reconnect', { status: 'notApplicable', message });
    return;
  }
  const other = await secondConnection(probe);
  if ('refusal' in other) {
    probe.findings.add(CHECK, 'reconnect', { status: 'untestable', message: other.refusal });
    probe.findings.add(VIEW_BESIDE, 'reconnect', { status: 'notApplicable', message: other.refusal });
    return;
  }
  for (const command of commands) {
    if (isCarrierless(command.method) && command.answer.kind !== 'result') continue;
    const id = isRejection(command.answer) ? 'idempotency/rejection-replayed' : CHECK;
    const there = await replay(probe, 'reconnect', command, command.line, other);
    judgeSameAnswer(probe, id, 'reconnect', command, there, 'sent again on another connection');
    const [here, again] = await Promise.all([
      replay(probe, 'reconnect', command),
      replay(probe, 'reconnect', command, command.line, other),
    ]);
    judgeSameAnswer(probe, id, 'reconnect', command, here, 'sent again on two connections at once');
    judgeSameAnswer(probe, id, 'reconnect', command, again, 'sent again on two connections at once');
  }
  await viewBeside(probe, commands, other);
  other.connection.destroy();
  await other.connection.closed;
  await dropBeforeAck(probe, commands, () => connectAgain(probe));
  const [first] = commands;
  if (first !== undefined) judge(probe, CHECK, 'reconnect', first, { status: 'passed' });
}

/** A server may refuse a second client at any time: then there is nothing to test. */
async function connectAgain(probe: Probe): Promise<Exchange | undefined> {
  const other = await secondConnection(probe);
  if (!('refusal' in other)) return other;
  probe.findings.add(CHECK, 'reconnect', { status: 'untestable', message: other.refusal });
  return undefined;
}
