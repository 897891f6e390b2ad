import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import {
  bodyOf,
  CONFLICT,
  kill,
  openSession,
  rejectionOf,
  resumed,
  start,
  stateDir,
  stop,
  turn,
} from './stage.js';

describe('the other server, session by session', () => {
  it('starts a session once, keeps its id from others, and remembers both', async () => {
    let host = await start();
    const params = { commandId: v7(), sessionId: v7(), workspaceRoot: stateDir };
    const rival = { ...params, commandId: v7() };
    const first = bodyOf(await host.client.request('session/start', params));
    const refused = bodyOf(await host.client.request('session/start', rival));
    expect(refused).toMatchObject({ code: -32030, data: { reason: 'session_id_conflict' } });
    const check = async () => {
      expect(bodyOf(await host.client.request('session/start', params))).toEqual(first);
      expect(
        rejectionOf(await host.client.request('session/start', { ...params, workspaceRoot: '/' })),
      ).toEqual(CONFLICT);
      expect(bodyOf(await host.client.request('session/start', rival))).toEqual(refused);
    };
    await check();
    await kill(host.server);
    host = await start();
    await check();
  });

  it('answers the start of a session that it reclaimed', async () => {
    let host = await start({ env: { OTHER_RECLAIM: '1' } });
    const params = { commandId: v7(), workspaceRoot: stateDir };
    const first = await host.client.request('session/start', params);
    await stop(host);
    host = await start({ env: { OTHER_RECLAIM: '1' } });
    const { sessionId } = first['result'].session;
    expect((await host.client.command('session/resume', { sessionId }))['error'].data.kind).toBe(
      'sessionNotFound',
    );
    expect(bodyOf(await host.client.request('session/start', params))).toEqual(first['result']);
  });

  it('leaves a session to the host that holds its lease', async () => {
    const one = await start();
    const sessionId = await openSession(one.client);
    const two = await start();
    expect((await two.client.command('session/resume', { sessionId }))['error'].data.kind).toBe(
      'sessionInUse',
    );
    await kill(one.server);
    expect((await resumed(two.client, sessionId)).session.sessionId).toBe(sessionId);
  });

  it('resumes after a cursor, refuses one it never minted, and pages both ways', async () => {
    const { client } = await start();
    const sessionId = await openSession(client);
    const said = turn(sessionId, 'hello');
    await client.request('turn/start', said);
    await client.event('turn/completed');
    const all = await client.history(sessionId);
    const cursor = all[0]?.['params'].viewCursor;
    const back = await client.request('view/page', { sessionId, limit: 2, direction: 'backward' });
    expect(back['result'].events).toEqual(all.slice(-2));
    const { result } = await client.command('session/resume', { sessionId, cursor });
    expect(result.history).toMatchObject({ mode: 'none', noneReason: 'cursorSuffix' });
    const foreign = { sessionId: await openSession(client), cursor };
    expect((await client.command('session/resume', foreign))['error'].data.reason).toBe('missingAnchor');
    await client.request('view/unsubscribe', { sessionId });
    const from = client.received.length;
    await client.request('view/subscribe', { sessionId, after: cursor });
    const replayed = client.received
      .slice(from)
      .flatMap(({ frame }) => (frame['params'] ? [frame['params']] : []));
    expect(replayed.filter(({ sourceRange }) => sourceRange)).toEqual(
      all.slice(1).map(({ params }) => params),
    );
  });
});
