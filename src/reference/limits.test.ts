import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { COMMAND_CAPACITY } from './admission.js';
import { INGRESS_CAPACITY } from './connection.js';
import type { JsonObject } from './json.js';
import { withHost } from './test-host.js';

const line = (id: number, method: string, params: JsonObject) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;

describe('too many commands at once', () => {
  it('are refused for now, which settles nothing', () =>
    withHost({}, async ({ client }) => {
      await client.initialize();
      const sessionId = await client.startSession();
      const commands = Array.from({ length: COMMAND_CAPACITY + 1 }, (_, index) => ({
        id: 1000 + index,
        params: { sessionId, commandId: v7(), reasoningEffort: 'high' },
      }));
      client.sendText(
        commands.map(({ id, params }) => line(id, 'session/setReasoningEffort', params)).join(''),
      );
      const last = commands.at(-1);
      const { error } = await client.next(({ id }) => id === last?.id);
      expect(error).toMatchObject({
        code: -32031,
        data: { kind: 'backpressured', capacity: COMMAND_CAPACITY, retryable: true },
      });
      for (const { id } of commands) client.methods.set(id, 'session/setReasoningEffort');
      await client.result('session/setReasoningEffort', last?.params);
      expect(client.frames.filter((frame) => frame['error'] !== undefined)).toHaveLength(1);
    }));
});

describe('too many lines at once', () => {
  it('are refused at once while an earlier request is served; notifications never count', () =>
    withHost({}, async ({ client }) => {
      await client.initialize();
      const sessionId = await client.startSession();
      const note = `${JSON.stringify({ jsonrpc: '2.0', method: 'later/note' })}\n`;
      const requests = Array.from({ length: INGRESS_CAPACITY + 1 }, (_, index) =>
        line(1000 + index, 'usage/read', {}),
      );
      for (let id = 999; id < 1000 + requests.length; id += 1) client.methods.set(id, 'usage/read');
      client.methods.set(999, 'session/read');
      client.sendText([line(999, 'session/read', { sessionId }), ...requests, note].join(''));
      const { error } = await client.next(({ id }) => id === 1000 + requests.length - 1);
      expect(error).toMatchObject({ code: -32001, data: { kind: 'overloaded', retryable: true } });
      await client.next(({ id }) => id === 1000 + requests.length - 2);
      expect(client.frames.filter((frame) => frame['error'] !== undefined).length).toBeLessThanOrEqual(2);
    }));
});
