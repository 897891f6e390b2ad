import { describe, expect, it } from 'vitest';
import { v7 } from 'uuid';
import { withHost } from './test-host.js';

describe('a first conversation', () => {
  it('starts a session and runs a turn', async () => {
    await withHost({}, async ({ client }) => {
      const hello = await client.initialize();
      expect(hello).toMatchObject({ sessionDurability: 'durable' });
      const { session } = (await client.result('session/start', { commandId: v7() })) as { session: { sessionId: string } };
      const commandId = v7();
      const ack = await client.result('turn/start', {
        sessionId: session.sessionId, commandId, input: [{ type: 'text', text: 'hello world' }],
      });
      await client.event('turn/completed');
      expect(ack).toMatchObject({ turnId: commandId });
    });
  });
});
