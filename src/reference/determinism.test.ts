import { describe, expect, it } from 'vitest';
import { type TestHost, withHost } from './test-host.js';

const COMMANDS = ['0198f0ab-9999-7000-8000-0000000000c1', '0198f0ab-9999-7000-8000-0000000000c2'];

async function lines(on: TestHost): Promise<string> {
  const [start, turn] = COMMANDS;
  await on.client.initialize();
  const { session } = await on.client.result('session/start', { commandId: start });
  const { sessionId } = session as { sessionId: string };
  await on.client.run(sessionId, '#retry', { commandId: turn });
  await on.client.result('session/read', { sessionId, excludeItems: false });
  return on.client.lines.join('').replaceAll(on.stateDir, '{stateDir}');
}

describe('a seeded host', () => {
  it('says the same to the byte when it is told the same', async () => {
    const runs: string[] = [];
    for (const _ of [1, 2]) {
      await withHost({}, async (on) => {
        runs.push(await lines(on));
      });
    }
    expect(runs[1]).toBe(runs[0]);
  });
});
