import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { CARRIERLESS, playAll, replayAll } from './other-server/repertoire.js';
import {
  ABANDONED,
  bodyOf,
  kill,
  LONG,
  of,
  openSession,
  rejectionOf,
  resumed,
  SLOW,
  start,
  stop,
  turn,
} from './other-server/stage.js';

describe('the other server, command by command', () => {
  it.each(['snapshot', 'inline'])('applies each once, across restarts and kills (%s)', async (form) => {
    const env = { ...LONG, OTHER_HISTORY: form };
    let host = await start({ env });
    const sessionId = await openSession(host.client);
    const sent = await playAll(host.client, sessionId);
    await replayAll(host.client, sessionId, sent);
    const history = await host.client.history(sessionId);
    const durable = sent.filter(({ method }) => !CARRIERLESS.has(method));
    expect(await stop(host)).toBe(0);
    host = await start({ env });
    expect((await resumed(host.client, sessionId)).history.mode).toBe(form);
    await replayAll(host.client, sessionId, durable);
    await kill(host.server);
    host = await start({ env });
    await resumed(host.client, sessionId);
    await replayAll(host.client, sessionId, durable.toReversed());
    expect(await host.client.history(sessionId)).toEqual(history);
    const { result } = await host.client.request('session/list');
    expect(result.sessions).toHaveLength(2);
    await host.client.request('session/read', { sessionId });
  });

  it('stops a turn once, and never a newer one after a restart', async () => {
    let host = await start({ env: LONG });
    const sessionId = await openSession(host.client);
    const first = turn(sessionId, SLOW);
    await host.client.request('turn/start', first);
    const cancel = { sessionId, commandId: v7(), turnId: first['commandId'] };
    const ack = bodyOf(await host.client.request('turn/cancel', cancel));
    await host.client.request('turn/start', turn(sessionId, SLOW));
    expect(bodyOf(await host.client.request('turn/cancel', cancel))).toEqual(ack);
    await kill(host.server);
    host = await start({ env: LONG });
    await resumed(host.client, sessionId);
    const newer = turn(sessionId, SLOW);
    await host.client.request('turn/start', newer);
    const late = bodyOf(await host.client.request('turn/cancel', cancel));
    expect(bodyOf(await host.client.request('turn/cancel', cancel))).toEqual(late);
    expect(of(await host.client.history(sessionId), 'turn/completed', newer['commandId'])).toEqual([]);
  });

  it('settles a turn that died as abandoned, once and for all', async () => {
    let host = await start({ env: LONG });
    const sessionId = await openSession(host.client);
    const dying = turn(sessionId, SLOW);
    const ack = bodyOf(await host.client.request('turn/start', dying));
    expect(bodyOf(await host.client.request('turn/start', dying))).toEqual(ack);
    for (let round = 0; round < 2; round += 1) {
      await kill(host.server);
      host = await start({ env: LONG });
      await resumed(host.client, sessionId);
      expect(rejectionOf(await host.client.request('turn/start', dying))).toEqual(ABANDONED);
    }
    const events = await host.client.history(sessionId);
    expect(of(events, 'turn/started', dying['commandId'])).toHaveLength(1);
    const [end, ...more] = of(events, 'turn/completed', dying['commandId']);
    expect(end?.['params']).toMatchObject({ terminal: 'cancelled' });
    expect(more).toEqual([]);
  });

  it.each(['launch', 'abandon'])(
    'neither loses nor doubles what was queued at a kill (%s)',
    async (policy) => {
      const env = { ...LONG, OTHER_QUEUE: policy };
      let host = await start({ env });
      const sessionId = await openSession(host.client);
      await host.client.request('turn/start', turn(sessionId, SLOW));
      const queued = turn(sessionId, 'me too');
      const ack = await host.client.request('turn/start', queued);
      expect(ack['result']).toMatchObject({ disposition: 'queued', turnId: queued['commandId'] });
      await kill(host.server);
      host = await start({ env });
      await resumed(host.client, sessionId);
      if (policy === 'launch')
        await host.client.event('turn/completed', (one) => one['turnId'] === queued['commandId']);
      const events = await host.client.history(sessionId);
      expect(of(events, 'turn/started', queued['commandId'])).toHaveLength(policy === 'launch' ? 1 : 0);
      expect(of(events, 'turn/completed', queued['commandId'])).toHaveLength(1);
      const again = await host.client.request('turn/start', queued);
      if (policy === 'launch') expect(bodyOf(again)).toEqual(bodyOf(ack));
      else expect(rejectionOf(again)).toEqual(ABANDONED);
    },
  );

  it('carries queued turns over an orderly stop, which cancels the running one', async () => {
    let host = await start({ env: LONG });
    const sessionId = await openSession(host.client);
    const active = turn(sessionId, SLOW);
    const ack = bodyOf(await host.client.request('turn/start', active));
    const queued = turn(sessionId, 'me too');
    await host.client.request('turn/start', queued);
    expect(await stop(host)).toBe(0);
    expect(host.client.received.at(-1)?.frame['method']).toBe('session/closed');
    host = await start({ env: LONG });
    await resumed(host.client, sessionId);
    await host.client.event('turn/completed', (params) => params['turnId'] === queued['commandId']);
    const events = await host.client.history(sessionId);
    expect(of(events, 'turn/completed', active['commandId'])).toMatchObject([
      { params: { terminal: 'cancelled' } },
    ]);
    expect(bodyOf(await host.client.request('turn/start', active))).toEqual(ack);
  });

  it('opens a parked approval anew after a kill', async () => {
    let host = await start();
    const sessionId = await openSession(host.client);
    const asking = turn(sessionId, 'ask me first');
    await host.client.request('turn/start', asking);
    const { approvalId: old, currentRequirementId } = await host.client.event('approval/requested');
    await kill(host.server);
    host = await start();
    const { pendingRequests } = await resumed(host.client, sessionId);
    const { params } = await host.client.waitFor((frame) => frame['method'] === 'approval/request');
    expect(pendingRequests).toMatchObject([{ kind: 'approval', approvalId: params.approvalId }]);
    const choice = { choiceId: 'c-7', sessionId };
    const lateOnOld = { ...choice, approvalId: old, requirementId: currentRequirementId };
    expect((await host.client.command('approval/decide', lateOnOld))['error'].code).toBe(-32051);
    const { approvalId, currentRequirementId: requirementId } = params;
    await host.client.command('approval/decide', { ...choice, approvalId, requirementId });
    await host.client.event('turn/completed', ({ turnId }) => turnId === asking['commandId']);
  });

  it('tears no command apart when it is killed anywhere', async () => {
    for (let round = 0; round < 8; round += 1) {
      let host = await start();
      const sessionId = await openSession(host.client);
      const wanted = turn(sessionId, 'hello');
      host.client.post('turn/start', wanted);
      const at = host.client.received.length + (round % 4);
      if (round > 0) await host.client.waitFor(() => true, at);
      await kill(host.server);
      host = await start();
      await resumed(host.client, sessionId);
      const answer = bodyOf(await host.client.request('turn/start', wanted));
      await kill(host.server);
      host = await start();
      await resumed(host.client, sessionId);
      const again = await host.client.request('turn/start', wanted);
      if ('result' in again) expect(again['result']).toEqual(answer);
      const events = await host.client.history(sessionId);
      expect(of(events, 'turn/started', wanted['commandId']).length).toBeLessThanOrEqual(1);
      expect(of(events, 'turn/completed', wanted['commandId']).length).toBeLessThanOrEqual(1);
      await kill(host.server);
    }
  });
});
