import type { Workbench } from './workbench.js';

/** What the placeholders of a command, an address or an environment value stand for. */
export interface PlaceholderValues {
  readonly stateDir: string;
  readonly workspace: string;
  readonly scenarioDir: string;
  readonly port: string;
  readonly frameLimitBytes: string;
}

export function placeholderValues(bench: Workbench, frameLimitBytes: number): PlaceholderValues {
  return {
    stateDir: bench.stateDir,
    workspace: bench.workspace,
    scenarioDir: bench.scenarioDir,
    port: String(bench.port),
    frameLimitBytes: String(frameLimitBytes),
  };
}

/** Expands the known placeholders, also within a word, once: what they stand for is not read again. Other braces stay. */
export function expand(text: string, values: PlaceholderValues): string {
  return text.replace(PLACEHOLDER, (_, name: keyof PlaceholderValues) => values[name]);
}

const PLACEHOLDER = /\{(stateDir|workspace|scenarioDir|port|frameLimitBytes)\}/g;
