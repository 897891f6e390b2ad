import { describe, expect, it } from 'vitest';
import { driven, type Reactions } from './testing/drive.js';
import { error, HANDSHAKE, request, result } from './testing/scenario.js';

describe('a busy server', () => {
  const list = [...HANDSHAKE, request(2, 'session/list'), result(2, { sessions: [], nextCursor: null })];

  function busyFor(times: number, kind: string): { reactions: Reactions; asked: () => number } {
    let asked = 0;
    const reactions: Reactions = {
      'session/list': (frame, server) => {
        asked += 1;
        if (asked <= times) server.refuse(frame, kind === 'overloaded' ? -32001 : -32031, kind);
        else server.answer(frame, { sessions: [], nextCursor: null });
      },
    };
    return { reactions, asked: () => asked };
  }

  it.each(['overloaded', 'backpressured'])('that is %s is asked again, with the same frame', async (kind) => {
    const { reactions, asked } = busyFor(2, kind);
    const { outcome, trouble, connection } = await driven(list, reactions);
    expect({ outcome, trouble }).toEqual({ outcome: { status: 'completed' }, trouble: [] });
    expect(asked()).toBe(3);
    expect(new Set(connection.lines.filter((line) => line.includes('session/list'))).size).toBe(1);
  });

  it('is not asked again where the recording is about that', async () => {
    const { reactions, asked } = busyFor(9, 'overloaded');
    const recorded = [...HANDSHAKE, request(2, 'session/list'), error(2, -32001, 'overloaded')];
    expect(await driven(recorded, reactions)).toMatchObject({
      outcome: { status: 'completed' },
      trouble: [],
    });
    expect(asked()).toBe(1);
  });
});
