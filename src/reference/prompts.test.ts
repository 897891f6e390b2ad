import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from './json.js';
import { type TestHost, withHost } from './test-host.js';

interface Asked {
  readonly sessionId: string;
  readonly turnId: unknown;
  readonly request: JsonObject;
  /** A decision with the members that matter to a test. */
  readonly decide: (members: JsonObject) => Promise<JsonObject>;
  readonly refuse: (members: JsonObject) => Promise<{ code: number; data: JsonObject }>;
}

async function approvalAsked(on: TestHost, text = '#approval', mode = 'promptUnmatched'): Promise<Asked> {
  await on.client.initialize();
  const sessionId = await on.client.startSession({ approvalMode: mode });
  const { turnId } = await on.client.submit(sessionId, text);
  const frame = await on.client.next(({ method }) => method === 'approval/request');
  const request = frame['params'] as JsonObject;
  on.client.send({ id: frame['id'], result: {} });
  const params = (members: JsonObject) => ({
    sessionId,
    commandId: v7(),
    approvalId: request['approvalId'],
    requirementId: request['currentRequirementId'],
    choiceId: 'allow_once',
    ...members,
  });
  return {
    sessionId,
    turnId,
    request,
    decide: (members) => on.client.result('approval/decide', params(members)),
    refuse: (members) => on.client.refusal('approval/decide', params(members)),
  };
}

describe('an approval', () => {
  it.each([
    ['allow_once', 'approved', 'completed', 'completed'],
    ['allow_session', 'approvedForSession', 'completed', 'completed'],
    ['deny', 'denied', 'rejected', 'completed'],
    ['abort', 'abort', 'cancelled', 'cancelled'],
  ])('that is decided %s is %s, the tool call %s, the turn %s', (choiceId, decision, itemStatus, terminal) =>
    withHost({}, async (on) => {
      const { decide, request, turnId } = await approvalAsked(on);
      const { approvalId, itemId } = request;
      expect(await decide({ choiceId })).toMatchObject({ approvalId, terminal: true });
      expect(await on.client.event('approval/resolved')).toMatchObject({
        approvalId,
        decision,
        resolvedBy: 'user',
      });
      expect(await on.client.event('turn/completed')).toMatchObject({ turnId, terminal });
      const items = on.client.events('item/completed').map(({ item }) => item as JsonObject);
      expect(items.find((item) => item['itemId'] === itemId)).toMatchObject({ status: itemStatus });
    }),
  );

  it('of two stages is asked twice; a decision aimed at one never satisfies the other', () =>
    withHost({}, async (on) => {
      const { decide, refuse, request } = await approvalAsked(on, '#approval-two-stages');
      expect(await decide({})).toMatchObject({ terminal: false });
      const second = await on.client.next(
        ({ method, params }) =>
          method === 'approval/request' &&
          ((params as JsonObject)['currentRequirementId'] as JsonObject)['sourceIndex'] === 1,
      );
      const requirementId = (second['params'] as JsonObject)['currentRequirementId'];
      expect(await refuse({})).toMatchObject({ code: -32053, data: { currentRequirementId: requirementId } });
      expect(await decide({ requirementId })).toMatchObject({
        terminal: true,
        approvalId: request['approvalId'],
      });
      expect(await on.client.event('approval/resolved')).toMatchObject({
        stageEvidence: [{ position: 0 }, { position: 1 }],
      });
    }));

  it('refuses what it cannot take', () =>
    withHost({}, async (on) => {
      const { decide, refuse, sessionId } = await approvalAsked(on);
      expect(await refuse({ choiceId: 'no-such' })).toMatchObject({
        code: -32052,
        data: { choiceId: 'no-such' },
      });
      expect(await refuse({ approvalId: v7() })).toMatchObject({ code: -32050 });
      expect(await refuse({ feedback: 'why' })).toMatchObject({ code: -32602 });
      expect(await on.client.result('approval/listPending', { sessionId })).toMatchObject({
        approvals: [{}],
        userInputs: [],
      });
      await decide({ feedback: null });
      expect(await refuse({})).toMatchObject({
        code: -32051,
        data: { resolution: { decision: 'approved', resolvedBy: 'user' } },
      });
      expect(await on.client.result('approval/listPending', { sessionId })).toEqual({
        approvals: [],
        userInputs: [],
      });
    }));

  it('once granted for the session is not asked for again, and still told', () =>
    withHost({}, async (on) => {
      const { decide, sessionId } = await approvalAsked(on);
      await decide({ choiceId: 'allow_session' });
      await on.client.run(sessionId, '#approval');
      const { approvalId } = await on.client.event('approval/resolved', { resolvedBy: 'policy' });
      expect(await on.client.event('approval/requested', { approvalId })).toBeDefined();
      expect(on.client.frames.filter(({ method }) => method === 'approval/request')).toHaveLength(1);
    }));

  it.each([
    ['allowAll', 'completed'],
    ['denyUnmatched', 'rejected'],
  ])('is not needed under %s: the tool call is %s', (approvalMode, status) =>
    withHost({}, async (on) => {
      await on.client.initialize();
      const sessionId = await on.client.startSession({ approvalMode });
      await on.client.run(sessionId, '#approval');
      const items = on.client.events('item/completed').map(({ item }) => item as JsonObject);
      expect(items.find(({ kind }) => kind === 'toolCall')).toMatchObject({ status });
      expect(on.client.events('approval/requested')).toEqual([]);
    }),
  );

  it('makes the session running with attention, and idle when it is over', () =>
    withHost({}, async (on) => {
      const { decide } = await approvalAsked(on);
      await decide({});
      await on.client.event('turn/completed');
      await on.client.event('session/statusChanged', { status: 'idle' });
      expect(
        on.client.events('session/statusChanged').map(({ status, attention }) => [status, attention]),
      ).toEqual([
        ['running', undefined],
        ['running', ['approvalPending']],
        ['running', undefined],
        ['idle', undefined],
      ]);
    }));
});

describe('a question', () => {
  const asked = async (on: TestHost, capabilities: JsonObject = {}) => {
    await on.client.initialize(capabilities);
    const sessionId = await on.client.startSession();
    await on.client.submit(sessionId, '#question');
    const { userInputId } = await on.client.event('userInput/requested');
    return { sessionId, commandId: v7(), userInputId };
  };

  it.each([
    [[]],
    [[{ questionId: 'no-such', freeText: 'x' }]],
    [[{ questionId: 'database', selectedLabel: 'Oracle' }]],
    [[{ questionId: 'database', selectedLabels: ['SQLite'] }]],
    [[{ questionId: 'database', selectedLabel: 'SQLite', freeText: 'x' }]],
    [[{ questionId: 'database', freeText: 'x'.repeat(501) }]],
    [[{ questionId: 'database', selectedLabel: 'SQLite', note: 'x'.repeat(501) }]],
  ])('does not take the answers %j', (answers) =>
    withHost({}, async (on) => {
      const params = await asked(on);
      expect(await on.client.refusal('userInput/answer', { ...params, answers })).toMatchObject({
        code: -32057,
      });
    }),
  );

  it('is settled once', () =>
    withHost({}, async (on) => {
      const params = await asked(on);
      const answers = [{ questionId: 'database', selectedLabel: 'SQLite', note: 'small' }];
      await on.client.result('userInput/answer', { ...params, answers });
      expect(await on.client.event('userInput/settled')).toMatchObject({
        outcome: 'answered',
        answers,
        decidedByCommandId: params.commandId,
      });
      expect(await on.client.refusal('userInput/cancel', { ...params, commandId: v7() })).toMatchObject({
        code: -32056,
        data: { settlement: { outcome: 'answered' } },
      });
      expect(
        await on.client.refusal('userInput/cancel', { ...params, commandId: v7(), userInputId: v7() }),
      ).toMatchObject({ code: -32055 });
    }));

  it('is not put to a client that cannot show it', () =>
    withHost({}, async (on) => {
      await asked(on, { userInputDialogs: false });
      expect(on.client.frames.filter(({ method }) => method === 'userInput/request')).toEqual([]);
    }));

  it('with a deadline settles by itself, unless somebody has begun to answer', () =>
    withHost({}, async (on) => {
      await on.client.initialize();
      const sessionId = await on.client.startSession();
      await on.client.submit(sessionId, '#timed-question');
      const { userInputId } = await on.client.event('userInput/requested', { autoResolutionMs: 1000 });
      on.client.send({ method: 'userInput/engaged', params: { sessionId, userInputId } });
      const second = await on.client.startSession();
      expect(await on.client.run(second, '#timed-question')).toMatchObject({ terminal: 'completed' });
      expect(on.client.events('userInput/settled')).toMatchObject([
        { sessionId: second, outcome: 'timedOut' },
      ]);
    }));
});
