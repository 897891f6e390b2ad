import { v7 } from 'uuid';
import { expect } from 'vitest';
import type { Client, Frame } from './client.js';
import { bodyOf, CONFLICT, rejectionOf, SLOW } from './stage.js';

export interface Sent {
  readonly method: string;
  readonly params: Frame;
  readonly answer: unknown;
}

/** Every kind of command, in an order in which each has something to do. */
export async function playAll(client: Client, sessionId: string): Promise<Sent[]> {
  const sent: Sent[] = [];
  const send = async (method: string, params: Frame) => {
    const whole = { commandId: v7(), sessionId, ...params };
    const response = await client.request(method, whole);
    sent.push({ method, params: whole, answer: bodyOf(response) });
    return response;
  };
  const run = async (text: string) => {
    const { result } = await send('turn/start', { input: [{ type: 'text', text }] });
    return result.turnId as string;
  };
  const over = (turnId: string) => client.event('turn/completed', (params) => params['turnId'] === turnId);
  await send('session/compact', {});
  await send('session/rename', { name: '  Über allen Gipfeln ' });
  await send('session/setModel', { model: { modelId: 'other/tiny' } });
  await send('session/setModel', { model: { modelId: 'nowhere/to-be-found' } });
  await send('session/setApprovalMode', { mode: 'denyUnmatched' });
  await send('session/setReasoningEffort', { reasoningEffort: 'high' });
  for (const text of ['hello', 'hello again', 'break please', 'repeat after me: hello'])
    await over(await run(text));
  await send('session/compact', {});
  await send('goal/pause', {});
  await over((await send('goal/set', { objective: 'mend the roof' })).result.turnId);
  await over((await send('goal/edit', { objective: 'mend the door' })).result.turnId);
  await send('goal/pause', {});
  await over((await send('goal/resume', {})).result.turnId);
  await send('goal/clear', {});
  for (const index of [0, 1]) {
    const turnId = await run('ask me first');
    const { params } = await client.waitFor(
      (frame) => frame['method'] === 'approval/request' && frame['params'].turnId === turnId,
    );
    await client.request('approval/listPending', { sessionId });
    const { approvalId, availableChoices, currentRequirementId: requirementId } = params;
    await send('approval/decide', { approvalId, requirementId, choiceId: availableChoices[index].choiceId });
    await over(turnId);
  }
  const questions: [string, Frame][] = [
    ['answer', { answers: [{ questionId: 'q/tea', selectedLabel: 'Tea' }] }],
    ['cancel', { reason: 'no time' }],
    ['clarify', { clarification: { content: 'water', format: 'text' } }],
    ['interrupt', {}],
  ];
  for (const [verb, params] of questions) {
    const turnId = await run('any questions?');
    const { userInputId } = await client.event('userInput/requested', (body) => body['turnId'] === turnId);
    await send(`userInput/${verb}`, { userInputId, ...params });
    await over(turnId);
  }
  const first = await run(SLOW);
  await send('turn/start', { input: [{ type: 'text', text: 'nudge' }], ifBusy: 'steer' });
  await send('turn/steer', { input: [{ type: 'text', text: 'nudge' }], expectedTurnId: first });
  await send('turn/steer', { input: [{ type: 'text', text: 'nudge' }], expectedTurnId: v7() });
  const queued = await run('later');
  await send('turn/unqueue', { turnId: queued });
  await send('turn/unqueue', { turnId: first });
  const { result } = await send('turn/start', { input: [{ type: 'text', text: SLOW }], ifBusy: 'replace' });
  expect(result).toMatchObject({ disposition: 'started', startedNewTurn: true });
  await send('turn/cancel', { turnId: result.turnId });
  await send('turn/cancel', { turnId: result.turnId });
  const last = await run(SLOW);
  await send('turn/interrupt', { turnId: last, retract: true });
  await over(last);
  await send('session/fork', {});
  return sent;
}

export const CARRIERLESS = new Set(['turn/cancel', 'turn/interrupt']);

/** The same id for something else: another payload where the method has any, another method where it has none. */
function conflicting({ method, params }: Sent): [string, Frame] {
  const { commandId, sessionId } = params;
  if (method === 'session/fork') return [method, { ...params, excludeItems: true }];
  if ('input' in params) {
    const [part] = params['input'];
    return [method, { ...params, input: [{ ...part, text: `${part.text}!` }] }];
  }
  if ('objective' in params) return [method, { ...params, objective: 'something else' }];
  if ('turnId' in params) return [method, { ...params, turnId: v7() }];
  if ('choiceId' in params) return [method, { ...params, choiceId: 'c-11' }];
  return ['session/rename', { sessionId, commandId, name: 'something else' }];
}

/** Sends everything again, members in another order, and once for something else in between. */
export async function replayAll(client: Client, sessionId: string, sent: readonly Sent[]): Promise<void> {
  const before = await client.history(sessionId);
  for (const one of sent) {
    const reordered = Object.fromEntries(Object.entries(one.params).reverse());
    expect(bodyOf(await client.request(one.method, reordered))).toEqual(one.answer);
    expect(rejectionOf(await client.request(...conflicting(one)))).toEqual(CONFLICT);
    expect(bodyOf(await client.request(one.method, one.params))).toEqual(one.answer);
  }
  expect(await client.history(sessionId)).toEqual(before);
}
