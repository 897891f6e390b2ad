import { describe, expect, it } from 'vitest';
import { Findings } from '../checks/findings.js';
import type { Crash } from './crash-record.js';
import { judgeLaterRestart } from './crash-verdicts.js';
import type { Probe } from './probe.js';
import { ack, sent } from './testing/commands-sent.js';
import { scriptedExchange } from './testing/scripted-exchange.js';

describe('a turn that the replay after a kill had started, abandoned at the next restart', () => {
  const started = ack({ turnId: 't', disposition: 'started' });
  const { answer: _, ...turn } = sent('turn/start', { sessionId: 's', commandId: 't' }, started);

  it.each([
    ['was waiting for somebody when its host died', 'cancelled', 'passed'],
    ['had been completed and settled', 'completed', 'failed'],
  ])('%s', async (_what, terminal, expected) => {
    const { exchange } = scriptedExchange({
      'session/resume': () => ({ result: { session: { sessionId: 's' } } }),
      'turn/start': () => ({
        error: { code: -32030, message: 'no', data: { kind: 'commandRejected', reason: 'abandoned' } },
      }),
      'view/page': () => ({
        result: {
          events: [{ method: 'turn/completed', params: { viewCursor: 'c', turnId: 't', terminal } }],
          nextCursor: null,
        },
      }),
    });
    const findings = new Findings();
    const crash: Crash = {
      ...{ point: { side: 'before-ack' } as Crash['point'], sent: turn, ack: undefined, earlier: [] },
      ...{ sessions: new Set(['s']), settled: started, isObservable: true },
    };
    await judgeLaterRestart({ stage: { exchange, enter: () => {} }, findings } as unknown as Probe, crash);
    expect(findings.all.map(({ id, status }) => `${status} ${id}`)).toEqual([
      `${expected} idempotency/crash-answer-stable`,
    ]);
  });
});
