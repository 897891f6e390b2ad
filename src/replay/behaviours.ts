import { behavioursOf } from '../transcript/behaviours.js';
import type { BehaviourName, Scenario } from '../transcript/scenario.js';
import type { ClientStep, ScriptStep } from './script.js';

/**
 * What the server's model must do in which turn, by the transcript line of the client frame that starts it. The
 * manifest's word counts; where it is silent, the recording tells: a turn that opened an approval or a prompt, that
 * failed, or that was still running when the client acted on it cannot be had from any plain input.
 */
export function inferBehaviours(
  scenario: Scenario,
  steps: readonly ScriptStep[],
): ReadonlyMap<number, BehaviourName> {
  const stated = behavioursOf(scenario);
  const behaviours = new Map(stated);
  const starts = steps.filter((step) => step.kind === 'client' && step.method === 'turn/start');
  for (const step of starts as ClientStep[]) {
    const behaviour = stated.size > 0 ? undefined : behaviourOfTurn(step, steps);
    if (behaviour !== undefined) behaviours.set(step.line, behaviour);
    inherit(step, starts as ClientStep[], behaviours);
  }
  return behaviours;
}

/** A repeated command must go out with the words of the first, or it would be another payload. */
function inherit(
  step: ClientStep,
  starts: readonly ClientStep[],
  behaviours: Map<number, BehaviourName>,
): void {
  const first = starts.find(({ params }) => params['commandId'] === step.params['commandId']);
  const behaviour = first === undefined ? undefined : behaviours.get(first.line);
  const isSameInput = JSON.stringify(first?.params['input']) === JSON.stringify(step.params['input']);
  if (behaviour !== undefined && isSameInput && !behaviours.has(step.line))
    behaviours.set(step.line, behaviour);
}

/** The line of an asked turn that failed without having started: no input can be relied on to bring that about. */
export function failedLaunch(
  steps: readonly ScriptStep[],
  askedTurns: ReadonlySet<unknown>,
): number | undefined {
  const started = new Set<unknown>();
  for (const step of steps) {
    if (step.kind !== 'server') continue;
    if (step.method === 'turn/started') started.add(step.params['turnId']);
    const { turnId, terminal } = step.params;
    const hasFailed = step.method === 'turn/completed' && terminal === 'failed';
    if (hasFailed && askedTurns.has(turnId) && !started.has(turnId)) return step.line;
  }
  return undefined;
}

function behaviourOfTurn(start: ClientStep, steps: readonly ScriptStep[]): BehaviourName | undefined {
  const result = resultOf(start);
  if (typeof result?.['turnId'] !== 'string' || result['disposition'] === 'steered') return undefined;
  const turnId = result['turnId'];
  let isRunning = false;
  for (const step of steps.slice(steps.indexOf(start) + 1)) {
    if (step.kind === 'client') {
      const isHere = step.params['sessionId'] === start.params['sessionId'];
      if (isRunning && isHere && ACTS_ON_A_RUNNING_TURN.has(step.method ?? '')) return 'slow';
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
    if (step.method === 'turn/completed')
      return isRunning && step.params['terminal'] === 'failed' ? 'fail' : undefined;
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
