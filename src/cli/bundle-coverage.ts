import type { Bundle } from '../schema/bundle.js';
import type { Exercised } from '../transcript/exercised.js';
import type { LocatedScenario } from '../transcript/locate-scenario.js';

/** What some scenarios exercise of a bundle, and what of it they leave out. */
export interface BundleCoverage {
  readonly schema: { readonly path: string; readonly fingerprint: string };
  readonly scenarios: number;
  readonly methods: readonly CoveredMethod[];
  readonly notifications: readonly Covered[];
  readonly serverRequests: readonly Covered[];
  readonly errorKinds: readonly Covered[];
}

/** An entry of the bundle with the ids of the scenarios that exercise it; none when it is not covered. */
export interface Covered {
  readonly name: string;
  readonly stability: 'stable' | 'experimental';
  readonly scenarios: readonly string[];
}

export interface CoveredMethod extends Covered {
  readonly isCommand: boolean;
  /** Ids of the scenarios in which a call is answered by a result, not by an error. */
  readonly succeedsIn: readonly string[];
  /** The derived replays that scenarios allow for a command: `all`, or names. Empty for other methods. */
  readonly passes: 'all' | readonly string[];
}

export type ExercisedScenario = readonly [LocatedScenario, Exercised];

export function bundleCoverage(bundle: Bundle, scenarios: readonly ExercisedScenario[]): BundleCoverage {
  const idsWhere = (holds: (exercised: Exercised) => boolean) =>
    scenarios.filter(([, exercised]) => holds(exercised)).map(([{ id }]) => id);
  // Several codes may carry one kind.
  const kinds = new Map(
    bundle.errors.flatMap(({ kind, overrideKinds, stability }) =>
      [kind, ...overrideKinds].map((name) => [name, stability] as const),
    ),
  );
  return {
    schema: { path: bundle.path, fingerprint: bundle.fingerprint },
    scenarios: scenarios.length,
    methods: [...bundle.methods.values()].map(({ method, stability }) => {
      const isCommand = bundle.isCommand(method);
      const calling = scenarios.filter(([, exercised]) => exercised.methods.has(method));
      return {
        name: method,
        stability,
        scenarios: calling.map(([{ id }]) => id),
        isCommand,
        succeedsIn: idsWhere(({ methods }) => methods.get(method)?.succeeds === true),
        passes: isCommand ? passesOf(calling) : [],
      };
    }),
    notifications: [...bundle.notifications.values()].map(({ method, stability }) => ({
      name: method,
      stability,
      scenarios: idsWhere(({ notifications }) => notifications.has(method)),
    })),
    serverRequests: [...bundle.requests.values()].map(({ method, stability }) => ({
      name: method,
      stability,
      scenarios: idsWhere(({ requests }) => requests.has(method)),
    })),
    errorKinds: [...kinds].map(([name, stability]) => ({
      name,
      stability,
      scenarios: idsWhere(({ errorKinds }) => errorKinds.has(name)),
    })),
  };
}

function passesOf(scenarios: readonly ExercisedScenario[]): 'all' | readonly string[] {
  const allowed = scenarios.map(([{ manifest }]) => manifest?.conformance?.passes);
  if (allowed.includes(undefined)) return 'all';
  return [...new Set(allowed.flatMap((passes) => passes ?? []))];
}
