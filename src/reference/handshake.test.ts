import { describe, expect, it } from 'vitest';
import type { InMemoryClient } from './in-memory-client.js';
import { withHost } from './test-host.js';

const CLIENT_INFO = { name: 'in_memory', version: '1' };

describe('initialize', () => {
  it('is the first request', () =>
    withHost({}, async ({ client }) => {
      expect(await client.refusal('model/list')).toMatchObject({
        code: -32600,
        data: { kind: 'notInitialized' },
      });
    }));

  it('comes once', () =>
    withHost({}, async ({ client }) => {
      await client.initialize();
      const error = await client.refusal('initialize', { clientInfo: CLIENT_INFO });
      expect(error).toMatchObject({ code: -32600, data: { kind: 'alreadyInitialized' } });
    }));

  it('may be tried again after it was refused', () =>
    withHost({}, async ({ client }) => {
      expect((await client.refusal('initialize', {})).data['kind']).toBe('invalidParams');
      await client.initialize();
    }));

  it.each([
    { clientInfo: { name: 'My-App', version: '1' } },
    { clientInfo: { name: 'app' } },
    { clientInfo: null },
    { clientInfo: CLIENT_INFO, capabilities: [] },
    { clientInfo: CLIENT_INFO, capabilities: { experimentalApi: 'yes' } },
    { clientInfo: CLIENT_INFO, capabilities: { requestedCapabilities: [1] } },
  ])('is refused with $clientInfo $capabilities', (params) =>
    withHost({}, async ({ client }) => {
      expect(await client.refusal('initialize', params)).toMatchObject({ code: -32602 });
    }),
  );

  it('grants what was asked for and what there is', () =>
    withHost({}, async ({ client }) => {
      const granted = await client.initialize({
        requestedCapabilities: ['userShell', 'sessionMcp', 'nonsense'],
      });
      expect(granted).toMatchObject({ grantedCapabilities: ['userShell'], experimentalApi: false });
    }));

  it('keeps notifications back until the client says initialized', () =>
    withHost({}, async ({ client }) => {
      await client.result('initialize', { clientInfo: CLIENT_INFO });
      const sessionId = await client.startSession();
      await client.submit(sessionId, 'hello');
      await client.result('view/page', { sessionId, limit: 1 });
      expect(client.frames.filter((frame) => frame['method'] !== undefined)).toEqual([]);
      client.send({ method: 'initialized' });
      expect(client.frames.filter((frame) => frame['method'] === 'turn/completed')).toHaveLength(1);
    }));
});

describe('gates', () => {
  it('keep ungranted capabilities closed', () =>
    withHost({}, async ({ client }) => {
      await client.initialize();
      client.send({ id: 'text', method: 'session/userShell', params: {} });
      const { error } = await client.next(({ id }) => id === 'text');
      expect(error).toMatchObject({
        code: -32010,
        data: { kind: 'capabilityRequired', capability: 'userShell' },
      });
    }));

  it.each([
    ['settings/read', {}, -32601, 'settings/read'],
    ['turn/start', { tokenBudget: 5 }, -32602, 'turn/start.tokenBudget'],
  ])('keep the experimental surface of %s closed', (method, extra, code, descriptor) =>
    withHost({}, async ({ client }) => {
      await client.initialize();
      const sessionId = await client.startSession();
      const input = [{ type: 'text', text: 'hello' }];
      const commandId = '0198f0ab-9999-7000-8000-0000000000c1';
      const error = await client.refusal(method, { sessionId, commandId, input, ...extra });
      expect(error).toMatchObject({ code, data: { kind: 'experimentalRequired', descriptor } });
    }),
  );

  it('say methodNotFound for an experimental method that is not here', () =>
    withHost({}, async ({ client }) => {
      await client.initialize({ experimentalApi: true });
      expect((await client.refusal('settings/read')).data['kind']).toBe('methodNotFound');
    }));

  it('let unknown members through', () =>
    withHost({}, async ({ client }) => {
      await client.initialize();
      await client.result('model/list', { futureOptionalField: true });
    }));

  it('keep opted-out notifications away, protected ones excepted', () =>
    withHost({}, async ({ client }) => {
      await client.initialize({ optOutNotificationMethods: ['item/delta', 'userInput/settled'] });
      const sessionId = await client.startSession();
      await client.run(sessionId, '#timed-question');
      expect(client.events('item/delta')).toEqual([]);
      expect(client.events('userInput/settled')).toHaveLength(1);
    }));
});

describe('lines', () => {
  const answered = async (client: InMemoryClient) => (await client.refusal('no/such')).data['kind'];

  it.each([
    ['no JSON', 'garbage\n', -32700, null],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0x22, 0x0a]), -32700, null],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"model/list"}]\n', -32600, null],
    ['no version', '{"id":"a","method":"model/list"}\n', -32600, 'a'],
    ['null params', '{"jsonrpc":"2.0","id":7,"method":"model/list","params":null}\n', -32600, 7],
  ])('with %s are answered, and the connection goes on', (_, line, code, id) =>
    withHost({}, async ({ client }) => {
      await client.initialize();
      client.connection.receive(Buffer.from(line));
      const frame = await client.next(({ error }) => (error as { code: number } | undefined)?.code === code);
      expect(frame['id']).toBe(id);
      expect(await answered(client)).toBe('methodNotFound');
    }),
  );

  it.each(['', '\r', '  '])('that hold nothing (%j) are passed over', (line) =>
    withHost({}, async ({ client }) => {
      await client.initialize();
      client.sendText(`${line}\n`);
      await answered(client);
      expect(client.frames).toHaveLength(2);
    }),
  );

  it('may end in CR LF, and never do here', () =>
    withHost({}, async ({ client }) => {
      client.methods.set(1, 'initialize');
      client.sendText(
        `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { clientInfo: CLIENT_INFO } })}\r\n`,
      );
      await client.next(({ id }) => id === 1);
      expect(client.lines.join('')).not.toContain('\r');
    }));

  const filler = 'x'.repeat(3000);
  it.each([
    [
      'the id first',
      `{"jsonrpc":"2.0","id":"big","method":"model/list","params":{"filler":"${filler}"}}`,
      'big',
      -32002,
    ],
    ['the id of something else first', `{"params":{"id":4},"filler":"${filler}","id":"late"}`, null, -32700],
    ['an id that is cut', `{"filler":"${'x'.repeat(1013)}","id":1234567890}`, null, -32700],
  ])('over the limit with %s are refused, and the connection goes on', (_, line, id, code) =>
    withHost({ frameLimitBytes: 1024 }, async ({ client }) => {
      await client.initialize();
      client.sendText(`${line}\n`);
      const frame = await client.next(({ error }) => error !== undefined);
      expect(frame).toMatchObject({ id, error: { code, data: { limitBytes: 1024 } } });
      expect(await answered(client)).toBe('methodNotFound');
    }),
  );

  it('of exactly the limit are served', () =>
    withHost({ frameLimitBytes: 2000 }, async ({ client }) => {
      await client.initialize();
      const empty = JSON.stringify({ jsonrpc: '2.0', id: 9, method: 'no/such', params: { filler: '' } });
      client.sendText(`${empty.replace('""', `"${'x'.repeat(2000 - empty.length)}"`)}\n`);
      expect(await client.next(({ id }) => id === 9)).toMatchObject({ error: { code: -32601 } });
    }));
});
