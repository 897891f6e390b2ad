import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { FAULTS } from './faults/table.js';
import { type Fault, HONEST, seamsWith, UnknownFaultError } from './faults.js';
import { withHost } from './test-host.js';

const NOWHERE = { scenarios: [], passes: [] };

describe('the faults', () => {
  it('have names of their own, and say what they break and what must catch them', () => {
    expect(new Set(FAULTS.map(({ name }) => name)).size).toBe(FAULTS.length);
    for (const { breaks, caughtBy } of FAULTS) {
      expect(breaks).toMatch(/^[A-Z].*\.$/);
      expect(caughtBy.length).toBeGreaterThan(0);
    }
  });

  it('are known by name only', () => {
    expect(() => seamsWith(['no-such'], FAULTS)).toThrow(UnknownFaultError);
    expect(seamsWith([], FAULTS)).toEqual(HONEST);
  });

  it('keep what they remember to one host', () => {
    const seams = () => {
      let count = 0;
      return { exitCode: () => ++count };
    };
    const fault: Fault = {
      name: 'counting',
      breaks: 'Nothing.',
      caughtBy: ['none'],
      shownBy: NOWHERE,
      seams,
    };
    expect([1, 2].map(() => seamsWith(['counting'], [fault]).exitCode(0))).toEqual([1, 1]);
  });
});

describe('a seam', () => {
  const fault = (seams: ReturnType<Fault['seams']>): Fault => ({
    name: 'one',
    breaks: 'One.',
    caughtBy: ['one'],
    shownBy: NOWHERE,
    seams: () => seams,
  });

  it('of the frames changes what goes out and nothing else', () =>
    withHost(
      {
        faults: [
          fault({
            frames: (frames, { method }) => (method === 'turn/completed' ? [...frames, ...frames] : frames),
          }),
        ],
      },
      async ({ client }) => {
        await client.initialize();
        const sessionId = await client.startSession();
        await client.run(sessionId, 'hello');
        await client.result('view/page', { sessionId, limit: 1 });
        expect(client.events('turn/completed')).toHaveLength(2);
        expect(
          (await client.page(sessionId)).filter(({ method }) => method === 'turn/completed'),
        ).toHaveLength(1);
      },
    ));

  it('of the carrier makes a command that a restart forgets', () =>
    withHost({ faults: [fault({ hasCarrier: () => false })] }, async (on) => {
      await on.client.initialize();
      const sessionId = await on.client.startSession();
      const params = { sessionId, commandId: v7(), name: 'a' };
      await on.client.result('session/rename', params);
      const next = await on.crash();
      await next.client.initialize();
      await next.client.result('session/resume', { sessionId, commandId: v7() });
      await next.client.result('session/rename', params);
      const renamed = (await next.client.page(sessionId)).filter(
        ({ method }) => method === 'session/nameChanged',
      );
      expect(renamed).toHaveLength(2);
    }));

  it('of a gate lets through what should not pass', () =>
    withHost({ faults: [fault({ gate: () => true })] }, async ({ client }) => {
      await client.initialize();
      const sessionId = await client.startSession();
      await client.result('session/userShell', { sessionId, commandId: v7(), commandText: 'true' });
    }));

  it('of an objection takes what should be refused', () =>
    withHost({ faults: [fault({ objection: () => undefined })] }, async ({ client }) => {
      await client.initialize();
      await client.result('session/list', { limit: 1000 });
    }));
});
