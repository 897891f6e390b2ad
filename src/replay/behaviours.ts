import { behavioursOf } from '../transcript/behaviours.js';
import type { BehaviourName, Scenario } from '../transcript/scenario.js';
import type { ClientStep, ScriptStep } from './script.js';

/**
 * What the server's model must do in which turn, by the transcript line of the client frame that starts it. The
 * manifest's word counts; where it is silent, the recording tells: a turn that opened an approval or a prompt, that
 * failed, or that was still running when the client acted on it cannot be had from any plain input.
 */
export function inferBehaviours(scenario: Scenario, steps: readonly ScriptStep[]): ReadonlyMap<number, BehaviourName> {
  const stated = behavioursOf(scenario);
  if (stated.size > 0) return stated;
  const inferred = new Map<number, BehaviourName>();
  for (const step of steps) {
    if (step.kind !== 'client' || step.method !== 'turn/start') continue;
    const behaviour = behaviourOfTurn(step, steps);
    if (behaviour !== undefined) inferred.set(step.line, behaviour);
  }
  return inferred;
}

function behaviourOfTurn(start: ClientStep, steps: readonly ScriptStep[]): BehaviourName | undefined {
  const result = resultOf(start);
  if (typeof result?.['turnId'] !== 'string' || result['disposition'] === 'steered') return undefined;
  const turnId = result['turnId'];
  let isRunning = false;
  for (const step of steps.slice(steps.indexOf(start) + 1)) {
    if (step.kind === 'client') {
      if (isRunning && ACTS_ON_A_RUNNING_TURN.has(step.method ?? '')) return 'slow';
      continue;
    }
    if (step.kind === 'control') {
      if (isRunning) return 'slow';
      continue;
    }
    if (step.params['turnId'] !== turnId) continue;
    if (step.method === 'turn/started') isRunning = true;
    if (step.method === 'approval/request' || step.method === 'approval/requested') return 'approval';
    if (step.method === 'userInput/request' || step.method === 'userInput/requested') return 'question';
    if (step.method === 'turn/completed') return step.params['terminal'] === 'failed' ? 'fail' : undefined;
  }
  return undefined;
}

const ACTS_ON_A_RUNNING_TURN: ReadonlySet<string> = new Set([
  'turn/start',
  'turn/steer',
  'turn/cancel',
  'turn/interrupt',
  'turn/unqueue',
]);

function resultOf(step: ClientStep): Readonly<Record<string, unknown>> | undefined {
  const message = step.response?.frame.message;
  return message?.kind === 'success' ? (message.result as Readonly<Record<string, unknown>>) : undefined;
}
