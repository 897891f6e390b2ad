import type { DriveContext } from './drive-context.js';
import { matchValue } from './match.js';
import type { ServerStep } from './script.js';

/**
 * The regime of a seeded host: the next server frame must be the next recorded one, whole. Ids and paths stand for
 * each other as bound; nothing else is forgiven.
 */
export async function settleInOrder(expected: readonly ServerStep[], context: DriveContext): Promise<void> {
  for (const step of expected) {
    const found = await context.exchange.until(() => context.nextFrame());
    if ('kind' in found) {
      const how =
        found.why === 'closed' ? 'before the connection ended' : `within ${context.exchange.timeoutMs} ms`;
      const message = `The server frame of line ${step.line} did not come ${how}.`;
      context.report('replay/event-matches', {
        status: 'failed',
        message,
        step: step.line,
        evidence: context.exchange.trace.tail(),
      });
      context.stop('failed', message, found.why === 'timeout');
    }
    const live = found.value;
    const differences = matchValue(
      step.frame.exact?.value ?? null,
      live.exact?.value ?? null,
      undefined,
      context.matchContext(),
    );
    const check = step.role === 'response' ? 'replay/response-matches' : 'replay/event-matches';
    context.report(check, {
      status: differences.length > 0 ? 'failed' : 'passed',
      message:
        differences.length > 0 ? `The server frame differs from the recorded one (line ${step.line}).` : '',
      step: step.line,
      method: step.method ?? step.asked?.method ?? '',
      differences,
      ...(differences.length > 0 && { evidence: context.exchange.trace.tail() }),
    });
    if (live.message.kind === 'request') context.bindServerRequest(step, live.message.id);
  }
}

/** After the last recorded frame the input is closed; whatever still comes is a frame too many. */
export async function expectSilence(context: DriveContext): Promise<void> {
  const { exchange } = context;
  exchange.connection.closeInput();
  await Promise.race([exchange.connection.closed, exchange.until(() => undefined)]);
  for (let frame = context.nextFrame(); frame !== undefined; frame = context.nextFrame()) {
    const message = 'The server sent a frame that the recording does not have.';
    const differences = [{ path: '', kind: 'extra', actual: frame.value }] as const;
    context.report('replay/unexpected-frame', {
      status: 'failed',
      message,
      differences,
      evidence: exchange.trace.tail(),
    });
  }
}
