import { describe, expect, it } from 'vitest';
import { driven, type Reactions } from './testing/drive.js';
import { event, HANDSHAKE, request, result } from './testing/scenario.js';

describe('exact order', () => {
  const exact = { settings: { match: 'exact' } } as const;
  const two = [
    ...HANDSHAKE,
    request(2, 'session/list'),
    event('vendor/a', { n: 1 }),
    result(2, { sessions: [], nextCursor: null }),
  ];
  const say = (order: readonly ('event' | 'answer' | 'extra')[], n = 1): Reactions => ({
    'session/list': (frame, server) => {
      for (const what of order) {
        if (what === 'answer') server.answer(frame, { sessions: [], nextCursor: null });
        else server.tell(what === 'event' ? 'vendor/a' : 'vendor/extra', { n });
      }
    },
  });

  it('takes the recorded frames', async () => {
    expect(await driven(two, say(['event', 'answer']), exact)).toMatchObject({
      outcome: { status: 'completed' },
      trouble: [],
    });
  });

  it('and no other order', async () => {
    expect((await driven(two, say(['answer', 'event']), exact)).trouble).toEqual([
      'failed replay/event-matches 5',
      'failed replay/response-matches 6',
    ]);
  });

  it('no other value', async () => {
    expect((await driven(two, say(['event', 'answer'], 2), exact)).trouble).toEqual([
      'failed replay/event-matches 5',
    ]);
  });

  it('no frame besides, in the end', async () => {
    expect((await driven(two, say(['event', 'answer', 'extra']), exact)).trouble).toEqual([
      'failed replay/unexpected-frame undefined',
    ]);
  });

  it('no frame less', async () => {
    const { outcome, trouble } = await driven(two, say(['event']), { ...exact, timeoutMs: 1 });
    expect(outcome).toMatchObject({ status: 'failed', timedOut: true });
    expect(trouble).toEqual(['failed replay/event-matches 6']);
  });
});
