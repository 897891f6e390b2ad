import type { PassName } from '../checks/finding.js';
import type { Fault } from '../reference/faults.js';
import { KNOWN_SERVERS } from '../run/known-servers.js';
import type { RunSetup } from '../run/setup.js';
import type { Bundle } from '../schema/bundle.js';
import type { TargetSpec } from '../target/spec.js';

/** What every trial works with. */
export interface Laboratory {
  readonly bundle: Bundle;
  /** Starts the reference server, without a fault. */
  readonly server: readonly string[];
  readonly seed: number;
  /** Where a bundled scenario lies. Throws for an id that is not there. */
  pathOf(scenarioId: string): string;
}

/**
 * A faulty server is given up soon: what it owes is known. A missing answer is still asked for again, with three times
 * the limit. Milliseconds.
 */
const FAULTY_LIMITS = { timeoutMs: 2_000, startTimeoutMs: 10_000, graceMs: 1_500 };

/** Time alone must not accuse the honest server, however busy the machine is. Milliseconds. */
const HONEST_LIMITS = { timeoutMs: 15_000, startTimeoutMs: 20_000, graceMs: 15_000 };

/** How the suite is run against the reference server: the honest one, or one with a fault. */
export function setupFor(laboratory: Laboratory, passes: readonly PassName[], fault?: Fault): RunSetup {
  return {
    target: targetOf(laboratory, fault),
    bundle: laboratory.bundle,
    passes: new Set(passes),
    asksForPasses: true,
    seed: laboratory.seed,
    crashPoints: 8,
    ids: 'fresh',
    match: 'conformant',
    require: 'core',
    keep: false,
    only: [],
    skip: [],
    knownServers: KNOWN_SERVERS,
    rerun: (scenarioId, checkId) => rerunCommand(scenarioId, checkId, fault),
  };
}

function targetOf({ server }: Laboratory, fault: Fault | undefined): TargetSpec {
  const faults = fault === undefined ? [] : ['--fault', fault.name];
  const common = { label: fault?.name ?? 'honest', env: {}, inheritEnv: false, behaviours: {} };
  const limits = fault === undefined ? HONEST_LIMITS : FAULTY_LIMITS;
  if (fault?.shownBy.needsSocket !== true) {
    return { ...common, ...limits, command: [...server, ...faults], address: { kind: 'stdio' } };
  }
  const command = [...server, '--listen', `unix:${SOCKET}`, ...faults];
  return { ...common, ...limits, command, address: { kind: 'unix', path: SOCKET } };
}

const SOCKET = '{stateDir}/host.sock';

function rerunCommand(scenarioId: string, checkId: string, fault: Fault | undefined): string {
  const serve =
    fault === undefined ? '' : ` -- msp-conformance serve --state {stateDir} --fault ${fault.name}`;
  return `msp-conformance run --only ${scenarioId}:${checkId}${serve}`;
}
