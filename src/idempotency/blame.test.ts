import { describe, expect, it } from 'vitest';
import { blamedOn } from './blame.js';
import type { Probe } from './probe.js';
import { ack, sent } from './testing/commands-sent.js';
import type { ViewEvent } from './view.js';
import type { ViewWatch } from './view-watch.js';

const command = sent(
  'session/setReasoningEffort',
  { sessionId: 's', commandId: 'c', reasoningEffort: 'high' },
  ack(),
);
const change: ViewEvent = {
  method: 'session/reasoningEffortChanged',
  params: { sessionId: 's', reasoningEffort: 'high' },
  cursor: 'c1',
};
const turn: ViewEvent = { method: 'turn/started', params: { sessionId: 's', turnId: 't' }, cursor: 'c2' };

/** What is blamed when the first look shows these events, and the look after a repeated replay those. */
async function blamed(first: ViewEvent[], afterRepeat: ViewEvent[], timesSeen: number) {
  const looks = [first, afterRepeat];
  const watch = { effects: async () => looks.shift() ?? [], timesSeen: () => timesSeen };
  const probe = { script: { commands: [command.step] }, stage: { knownCommands: new Set() } };
  let repeats = 0;
  const found = await blamedOn(
    probe as unknown as Probe,
    command,
    watch as unknown as ViewWatch,
    new Set(),
    async () => {
      repeats += 1;
    },
  );
  return { found, repeats };
}

describe('a change of state after a replay', () => {
  it.each([
    ['that is told for the first time, and not again, is the late one of the command itself', [], 1, [], 1],
    ['that comes with every replay is blamed on them', [change], 1, [change], 1],
    ['that was told before is blamed at once', [], 2, [change], 0],
  ])('%s', async (_what, afterRepeat, timesSeen, found, repeats) => {
    expect(await blamed([change], afterRepeat, timesSeen)).toEqual({ found, repeats });
  });

  it('is no excuse for a turn that nobody asked for', async () => {
    expect(await blamed([turn], [], 1)).toEqual({ found: [turn], repeats: 0 });
  });
});
