import { expect, it } from 'vitest';
import { scriptedExchange } from './testing/scripted-exchange.js';
import { readSession } from './view.js';

it.each(['overloaded', 'backpressured'])(
  'a session of a server that is %s is read again until it can be',
  async (kind) => {
    let times = 0;
    const busyOnce = () =>
      ++times === 1
        ? { error: { code: -32001, message: 'later', data: { kind } } }
        : { result: { events: [], nextCursor: null } };
    const { exchange } = scriptedExchange({ 'view/page': busyOnce });
    expect(await readSession(exchange, 's')).toEqual({ kind: 'read', from: 'view', events: [] });
  },
);
