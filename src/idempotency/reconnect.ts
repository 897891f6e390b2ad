import type { LiveCommand } from '../replay/drive-context.js';
import type { Exchange } from '../replay/exchange.js';
import { transportOf } from '../target/spec.js';
import { isRejection } from './compare-answers.js';
import { dropBeforeAck } from './dropped-connection.js';
import { isCarrierless } from './exceptions.js';
import { judge, judgeSameAnswer, type Probe, replay } from './probe.js';
import { handshakeOn } from './sessions.js';

const CHECK = 'idempotency/reconnect-duplicate';

/**
 * The same commands on a second connection, and on both at once: the ledger is not connection state. Stdio has one
 * connection for the life of its process, so this is for sockets.
 */
export async function reconnectReplays(probe: Probe, commands: readonly LiveCommand[]): Promise<void> {
  if (transportOf(probe.stage.options.spec) === 'stdio') {
    const message =
      'Over stdio a server has one connection for its life; a new one is a new process (see restart).';
    probe.findings.add(CHECK, 'reconnect', { status: 'notApplicable', message });
    return;
  }
  const other = await secondConnection(probe);
  if (other === undefined) return;
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
  other.connection.destroy();
  await other.connection.closed;
  await dropBeforeAck(probe, commands, () => secondConnection(probe));
  const [first] = commands;
  if (first !== undefined) judge(probe, CHECK, 'reconnect', first, { status: 'passed' });
}

/** A server may refuse a second client: then there is nothing to test. */
async function secondConnection(probe: Probe): Promise<Exchange | undefined> {
  const untestable = (message: string) =>
    probe.findings.add(CHECK, 'reconnect', { status: 'untestable', message });
  try {
    const other = await probe.stage.connectBeside();
    const refusal = await handshakeOn(probe, other);
    if (refusal === undefined) return other;
    other.connection.destroy();
    untestable(`The server does not serve a second connection: ${refusal}.`);
  } catch (error) {
    untestable(
      `The server does not take a second connection: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return undefined;
}
