import { describe, expect, it } from 'vitest';
import { driven, type Reactions } from './testing/drive.js';
import { type Line, request, result, userMessage, viewed } from './testing/scenario.js';
import { TURN, TURN_OF, tells } from './testing/turns.js';

describe('events that the recorded server told a second time', () => {
  const again: readonly Line[] = [
    request(8, 'view/subscribe', { sessionId: 's1', after: 'v0' }),
    result(8, { viewCursor: 'v3' }),
    viewed('turn/started', 's1', 'v1', { turnId: TURN, commandId: TURN }),
    viewed('item/completed', 's1', 'v2', userMessage(TURN, 'hello')),
    viewed('turn/completed', 's1', 'v3', { turnId: TURN, terminal: 'completed' }),
  ];
  const tellsOnce: Reactions = {
    ...tells(['ack', 'started', 'item', 'completed']),
    'view/unsubscribe': (frame, server) => server.answer(frame, {}),
    'view/subscribe': (frame, server) => server.answer(frame, { viewCursor: 'z' }),
  };

  it('need not be told twice to a connection that follows the session', async () => {
    const { outcome, trouble } = await driven([...TURN_OF, ...again], tellsOnce);
    expect({ outcome, trouble }).toEqual({ outcome: { status: 'completed' }, trouble: [] });
  });

  it('must be told to one that had left', async () => {
    const left: readonly Line[] = [request(7, 'view/unsubscribe', { sessionId: 's1' }), result(7, {})];
    const { trouble } = await driven([...TURN_OF, ...left, ...again], tellsOnce, { timeoutMs: 50 });
    expect(trouble).toEqual(['failed replay/event-matches 15']);
  });
});
