import { describe, expect, it } from 'vitest';
import { driven, type Reactions } from './testing/drive.js';
import { error, HANDSHAKE, type Line, request, result, viewed } from './testing/scenario.js';
import { commandOf, TURN, TURN_OF, tells } from './testing/turns.js';

describe('values that a later frame needs', () => {
  const opening = viewed('item/started', 's1', 'v9', {
    item: { itemId: 'i1', kind: 'toolCall', turnId: TURN, revision: 1, status: 'inProgress' },
  });
  const read = [
    ...TURN_OF.slice(0, 7),
    opening,
    ...TURN_OF.slice(7),
    request(4, 'item/readOutput', { sessionId: 's1', itemId: 'i1', outputRef: 'o' }),
    error(4, -32041, 'outputUnavailable'),
  ];
  const reads: Reactions = {
    'item/readOutput': (frame, server) =>
      server.refuse(frame, -32041, 'outputUnavailable', { itemId: frame.params?.['itemId'] }),
  };

  it('are taken from events that nobody promised', async () => {
    const telling = tells(['ack', 'started', 'item', 'completed']);
    const reactions: Reactions = {
      ...telling,
      ...reads,
      'turn/start': (frame, server) => {
        telling['turn/start']?.(frame, server);
        server.tell('item/started', {
          sessionId: 'S1',
          viewCursor: 'later',
          item: {
            itemId: 'I1',
            kind: 'toolCall',
            turnId: commandOf(frame),
            revision: 1,
            status: 'inProgress',
          },
        });
      },
    };
    const { outcome, connection } = await driven(read, reactions);
    expect(outcome.status).toBe('completed');
    expect(connection.sent.at(-1)?.params).toMatchObject({ itemId: 'I1' });
  });

  it('and make the scenario inapplicable where they do not come', async () => {
    const { outcome } = await driven(
      read,
      { ...tells(['ack', 'started', 'item', 'completed']), ...reads },
      { timeoutMs: 1 },
    );
    expect(outcome).toMatchObject({
      status: 'notApplicable',
      reason: expect.stringContaining('item/started (line 8)'),
    });
  });

  it('or are not in an answer', async () => {
    const page = (id: number, cursor: string | undefined, nextCursor: string | null): Line[] => [
      request(id, 'session/list', { limit: 1, ...(cursor && { cursor }) }),
      result(id, { sessions: [], nextCursor }),
    ];
    const paged = [...HANDSHAKE, ...page(2, undefined, 'p1'), ...page(3, 'p1', null)];
    const { outcome } = await driven(paged, {
      'session/list': (frame, server) => server.answer(frame, { sessions: [], nextCursor: null }),
    });
    expect(outcome).toMatchObject({
      status: 'notApplicable',
      reason: expect.stringContaining('the answer to session/list'),
    });
  });
});
