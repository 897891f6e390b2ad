import { describe, expect, it } from 'vitest';
import { driven, type Reactions } from './testing/drive.js';
import { type Line, request, result, viewed } from './testing/scenario.js';
import { commandOf, TURN, TURN_OF, tells } from './testing/turns.js';

describe('turns that a kill hits', () => {
  const killed = [
    ...TURN_OF.slice(0, 9),
    ['control', 'crash'] as const,
    viewed('turn/completed', 's1', 'v9', {
      turnId: TURN,
      terminal: 'failed',
      error: { kind: 'logError', message: '', retryable: false },
    }),
    request(5, 'view/page', { sessionId: 's1', limit: 10 }),
    result(5, {
      events: [
        {
          method: 'turn/completed',
          params: { sessionId: 's1', viewCursor: 'v9', turnId: TURN, terminal: 'failed' },
        },
      ],
      nextCursor: null,
    }),
  ] as readonly Line[];
  const ends = (terminal: string | undefined): Reactions => ({
    ...tells(['ack', 'started', 'item']),
    'view/page': (frame, server) => {
      const turnId = server.sent.map(commandOf).at(3);
      const events =
        terminal === undefined
          ? []
          : [{ method: 'turn/completed', params: { sessionId: 'S1', viewCursor: 'z', turnId, terminal } }];
      server.answer(frame, { events, nextCursor: null });
    },
  });

  it('end as the server sees fit, told by the view alone', async () => {
    const { outcome, trouble } = await driven(killed, ends('cancelled'), { behaviours: { slow: 'slowly' } });
    expect({ outcome, trouble }).toEqual({ outcome: { status: 'completed' }, trouble: [] });
  });

  it('must end', async () => {
    expect((await driven(killed, ends(undefined), { behaviours: { slow: 'slowly' } })).trouble).toEqual([
      'failed replay/response-matches 13',
    ]);
  });
});
