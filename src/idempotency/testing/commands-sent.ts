import type { LiveCommand } from '../../replay/drive-context.js';
import { type Answer, toAnswer } from '../../replay/exchange.js';
import type { ClientStep } from '../../replay/script.js';
import { decodeFrame } from '../../wire/decode.js';
import type { Json } from './server-state.js';

/** A command as it was sent, with its answer, given as frames. */
export function sent(
  method: string,
  params: Json,
  answer: Answer,
  more: Partial<ClientStep> = {},
): LiveCommand {
  const line = JSON.stringify({ jsonrpc: '2.0', id: 4, method, params });
  const step: ClientStep = {
    kind: 'client',
    line: 1,
    raw: line,
    frame: decodeFrame(line),
    method,
    params,
    isCommand: true,
    response: undefined,
    receiptFor: undefined,
    behaviour: undefined,
    ...more,
  };
  const sessionId = typeof params['sessionId'] === 'string' ? params['sessionId'] : undefined;
  return { step, method, line, commandId: String(params['commandId']), sessionId, answer, sentMs: 0 };
}

/** An answer from the text of its `result` or `error`, so that numbers stay as they are spelt. */
export function answer(member: 'result' | 'error', text: string, tookMs = 0): Answer {
  return toAnswer(decodeFrame(`{"jsonrpc":"2.0","id":4,"${member}":${text}}`), tookMs);
}

export function ack(members: Json = {}, tookMs = 0): Answer {
  return answer('result', JSON.stringify(members), tookMs);
}

export function rejected(reason: string): Answer {
  return answer(
    'error',
    JSON.stringify({ code: -32030, message: 'no', data: { kind: 'commandRejected', reason } }),
  );
}
