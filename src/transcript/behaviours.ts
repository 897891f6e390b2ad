import { decodeFrame } from '../wire/decode.js';
import type { BehaviourName, Scenario } from './scenario.js';

/**
 * What each client frame must bring about, by the frame's line: `conformance.behaviours` as it stands, or else
 * `conformance.requires.provider` dealt out to the client's `turn/start` frames in order.
 */
export function behavioursOf(scenario: Scenario): ReadonlyMap<number, BehaviourName> {
  const conformance = scenario.manifest?.conformance;
  if (conformance?.behaviours !== undefined) {
    const entries = Object.entries(conformance.behaviours);
    return new Map(entries.map(([line, name]) => [Number(line), name]));
  }
  const names = providerNames(scenario);
  const lines = names.length === 0 ? [] : turnStartLines(scenario);
  return new Map(names.flatMap((name, index) => pair(lines[index], name)));
}

/** What is wrong with the behaviours that a manifest asks for, seen beside its transcript. */
export function behaviourProblem(scenario: Scenario): string | undefined {
  const conformance = scenario.manifest?.conformance;
  if (conformance?.behaviours !== undefined) {
    const clientLines = new Set(scenario.steps.filter(({ dir }) => dir === 'client').map(({ line }) => line));
    const stray = Object.keys(conformance.behaviours).find((line) => !clientLines.has(Number(line)));
    return stray === undefined
      ? undefined
      : `"conformance.behaviours" names line ${stray}; expected the line of a client frame`;
  }
  const asked = providerNames(scenario).length;
  const turns = asked === 0 ? 0 : turnStartLines(scenario).length;
  return asked <= turns
    ? undefined
    : `"conformance.requires.provider" names ${asked} behaviour(s) for ${turns} turn/start frame(s); expected at most one for each`;
}

function providerNames(scenario: Scenario): readonly BehaviourName[] {
  const provider = scenario.manifest?.conformance?.requires?.provider ?? [];
  return typeof provider === 'string' ? [provider] : provider;
}

function turnStartLines(scenario: Scenario): number[] {
  return scenario.steps
    .filter((step) => step.dir === 'client' && isTurnStart(step.raw))
    .map(({ line }) => line);
}

function isTurnStart(raw: string): boolean {
  const { message } = decodeFrame(raw);
  return message.kind === 'request' && message.method === 'turn/start';
}

function pair(line: number | undefined, name: BehaviourName): [number, BehaviourName][] {
  return line === undefined ? [] : [[line, name]];
}
