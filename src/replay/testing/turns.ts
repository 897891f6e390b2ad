import type { Reactions } from './drive.js';
import {
  HANDSHAKE,
  type Line,
  request,
  result,
  session,
  turnAck,
  userMessage,
  uuid,
  viewed,
} from './scenario.js';
import type { SentFrame } from './scripted-connection.js';

const START = uuid(100);
export const TURN = uuid(101);
export const STOP = uuid(102);

/** A recording up to a session that stands open. */
export const OPENED: readonly Line[] = [
  ...HANDSHAKE,
  request(2, 'session/start', { commandId: START }),
  result(2, { session: session('s1'), viewCursor: 'v0' }),
];
/** The same, and a plain turn to its end. */
export const TURN_OF: readonly Line[] = [
  ...OPENED,
  request(3, 'turn/start', { sessionId: 's1', commandId: TURN, input: [{ type: 'text', text: 'hello' }] }),
  result(3, turnAck(TURN)),
  viewed('turn/started', 's1', 'v1', { turnId: TURN, commandId: TURN }),
  viewed('item/completed', 's1', 'v2', userMessage(TURN, 'hello')),
  viewed('turn/completed', 's1', 'v3', { turnId: TURN, terminal: 'completed' }),
];
/** A live server whose session has another id. */
export const opens: Reactions = {
  'session/start': (frame, server) => server.answer(frame, { session: session('S1'), viewCursor: 'c0' }),
};

export const commandOf = (frame: SentFrame) => String(frame.params?.['commandId']);
const textOf = (frame: SentFrame) =>
  (frame.params?.['input'] as { text: string }[] | undefined)?.[0]?.text ?? '';

export type Told = 'ack' | 'started' | 'item' | 'completed';

/** A server that tells of a turn in some order. */
export function tells(order: readonly Told[], changes: Record<string, unknown> = {}): Reactions {
  return {
    ...opens,
    'turn/start': (frame, server) => {
      const turnId = commandOf(frame);
      const say: Record<Told, () => void> = {
        ack: () => server.answer(frame, turnAck(turnId)),
        started: () =>
          server.tell('turn/started', {
            sessionId: 'S1',
            viewCursor: `a ${turnId}`,
            turnId,
            commandId: turnId,
          }),
        item: () =>
          server.tell('item/completed', {
            sessionId: 'S1',
            viewCursor: `b ${turnId}`,
            ...userMessage(turnId, textOf(frame)),
          }),
        completed: () =>
          server.tell('turn/completed', {
            sessionId: 'S1',
            viewCursor: `c ${turnId}`,
            turnId,
            terminal: 'completed',
            ...changes,
          }),
      };
      for (const what of order) say[what]();
    },
  };
}
