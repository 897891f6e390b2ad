import { v7 as mintUuid } from 'uuid';
import type { Scenario } from '../../transcript/scenario.js';
import { type Call, recorded } from './recording.js';
import type { Json } from './server-state.js';

const sessionId = mintUuid();
const input = (text: string) => [{ type: 'text', text }];

const START: Call = { method: 'session/start', params: { commandId: mintUuid(), sessionId } };

function command(method: string, params: Json = {}, more: Partial<Call> = {}): Call {
  return { method, params: { sessionId, commandId: mintUuid(), ...params }, ...more };
}

const slow = command('turn/start', { input: input('a slow turn') }, { behaviour: 'slow' });
const slowTurn = slow.params['commandId'];
const queued = command('turn/start', { input: input('after that') });

/** A session, a turn, a name. */
export const PLAIN = recorded('plain', [
  START,
  command('turn/start', { input: input('hello') }),
  command('session/rename', { name: 'A name' }),
]);

/** A slow turn, another queued behind it, both run to their ends. */
export const QUEUE = recorded('queue', [
  START,
  slow,
  { ...queued, until: 'turn/completed' },
  command('session/rename', { name: 'Later' }),
]);

/** A slow turn that is cancelled. */
export const CANCEL = recorded('cancel', [
  START,
  slow,
  command('turn/cancel', { turnId: slowTurn }, { until: 'turn/completed' }),
]);

/** A goal, edited and cleared, and one verb that has no goal. */
export const GOAL = recorded('goal', [
  START,
  command('goal/pause'),
  command('goal/set', { objective: 'Green tests' }),
  command('goal/edit', { objective: 'Greener tests' }),
  command('goal/clear'),
]);

/** A session whose id the server mints, and a fork. */
export const LIFECYCLE = recorded('lifecycle', [
  START,
  command('turn/start', { input: input('hello') }),
  command('session/fork'),
]);

/** A turn that waits for a decision, which comes. */
export const APPROVAL = (async (): Promise<Scenario> => {
  const asking = command('turn/start', { input: input('ask first') }, { behaviour: 'approval' });
  const approvalId = `approval-${String(asking.params['commandId'])}`;
  const decision = command('approval/decide', {
    approvalId,
    choiceId: 'allow',
    requirementId: { approvalId, sourceIndex: 0 },
  });
  return recorded('approval', [START, asking, decision]);
})();

/** A turn that still waits for a decision when the recording ends. */
export const PARKED = recorded('parked', [
  START,
  command('turn/start', { input: input('ask first') }, { behaviour: 'approval' }),
]);

/** An input that a running turn absorbs. */
export const STEER = recorded('steer', [
  START,
  slow,
  command('turn/steer', { expectedTurnId: slowTurn, input: input('and hurry') }, { until: 'turn/completed' }),
]);
