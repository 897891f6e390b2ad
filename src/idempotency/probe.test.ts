import { describe, expect, it } from 'vitest';
import { type Probe, replay } from './probe.js';
import { ack, sent } from './testing/commands-sent.js';
import { scriptedExchange } from './testing/scripted-exchange.js';
import { type Reply, refusal } from './testing/server-state.js';

const command = sent(
  'session/rename',
  { sessionId: 's', commandId: 'c', name: 'n' },
  ack({ commandId: 'c' }),
);

async function replayedOn(answers: (isLoaded: boolean) => Reply, resume: Reply) {
  let isLoaded = false;
  const { exchange, asked } = scriptedExchange({
    'session/rename': () => answers(isLoaded),
    'session/resume': () => {
      isLoaded = true;
      return resume;
    },
  });
  const answer = await replay(
    { stage: { exchange, enter: () => {} } } as unknown as Probe,
    'duplicate',
    command,
  );
  return { answer, asked: asked.map(({ method }) => method) };
}

const NOT_LOADED = refusal(-32024, 'sessionNotLoaded');

describe('a replay whose session is not loaded', () => {
  it('is sent again once it is', async () => {
    const { answer, asked } = await replayedOn((loaded) => (loaded ? { result: {} } : NOT_LOADED), {
      result: {},
    });
    expect(answer.kind).toBe('result');
    expect(asked).toEqual(['session/rename', 'session/resume', 'session/rename']);
  });

  it('keeps its answer when loading does not change it, or cannot be had', async () => {
    const stubborn = await replayedOn(() => NOT_LOADED, { result: {} });
    expect(stubborn.answer.errorKind).toBe('sessionNotLoaded');
    const gone = await replayedOn(() => NOT_LOADED, refusal(-32020, 'sessionNotFound'));
    expect(gone.answer.errorKind).toBe('sessionNotLoaded');
    expect(gone.asked).toHaveLength(2);
  });

  it('is not looked for when the replay was answered', async () => {
    expect((await replayedOn(() => ({ result: {} }), { result: {} })).asked).toEqual(['session/rename']);
  });
});
