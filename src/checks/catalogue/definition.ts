import type { Severity } from '../finding.js';

/** Everything the product says about one check. Texts are plain sentences without markup. */
export interface CheckDefinition {
  /** Stable name, `family/rule`. Reports, baselines and `--only` globs rely on it. */
  readonly id: string;
  /** `must` fails a run, `should` warns at most, `note` informs. */
  readonly severity: Severity;
  readonly title: string;
  /** The demand in one sentence. */
  readonly requirement: string;
  /** Document and section that the demand rests on. */
  readonly source: string;
  /** What is demanded, and why a client depends on it. */
  readonly explanation: string;
  /** What a server that fails this check usually got wrong. */
  readonly typicalMistake: string;
  /** How to watch it happen without this tool. */
  readonly howToSee: string;
}
