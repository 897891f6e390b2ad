import { describe, expect, it } from 'vitest';
import { driven } from './testing/drive.js';
import { TURN_OF, tells } from './testing/turns.js';

describe('a derived replay', () => {
  it('judges nothing, ends where it is told to, and at the first control line', async () => {
    const quiet = { settings: { judges: false, pass: 'duplicate' } } as const;
    const wrong = tells(['ack', 'started', 'item', 'completed'], { terminal: 'failed' });
    expect(await driven(TURN_OF, wrong, quiet)).toMatchObject({
      outcome: { status: 'completed' },
      findings: [],
    });
    expect((await driven([...TURN_OF, ['control', 'restart']], wrong, quiet)).outcome).toEqual({
      status: 'ended',
    });
    const { outcome, connection } = await driven(TURN_OF, wrong, {
      ...quiet,
      hooks: { isEnd: ({ method }) => method === 'turn/start' },
    });
    expect(outcome).toEqual({ status: 'ended' });
    expect(connection.sent.map(({ method }) => method)).toEqual([
      'initialize',
      'initialized',
      'session/start',
    ]);
  });

  it('hears of each command once it is answered', async () => {
    const answered: string[] = [];
    const hooks = { answered: async ({ method }: { method: string }) => void answered.push(method) };
    const { context } = await driven(TURN_OF, tells(['started', 'ack', 'item', 'completed']), { hooks });
    expect(answered).toEqual(['session/start', 'turn/start']);
    expect(context.commands.map(({ step, sessionId }) => [step.line, sessionId])).toEqual([
      [4, undefined],
      [6, 'S1'],
    ]);
    expect([...context.sessions]).toEqual(['S1']);
  });
});
