import type { SocketAddress } from './address.js';
import { AttachedHost } from './attached-host.js';
import { commandEnvironment } from './environment.js';
import type { Host, HostOptions } from './host.js';
import { HostStartError } from './host-error.js';
import { expand, type PlaceholderValues } from './placeholders.js';
import { runCommand } from './run-command.js';
import type { TargetSpec } from './spec.js';
import type { Workbench } from './workbench.js';

/** Benches whose server has been met before: another host on one of them is a restart. */
const usedBenches = new WeakSet<Workbench>();

/** Targets whose server was killed and has not been started since. */
const downTargets = new WeakSet<TargetSpec>();

/** Meets a server that somebody else runs; restarts it first where that is what opening a host means. */
export async function attach(
  spec: TargetSpec,
  bench: Workbench,
  address: SocketAddress,
  values: PlaceholderValues,
  options: HostOptions,
): Promise<Host> {
  const run = (option: '--restart-command' | '--kill-command', command: readonly string[]) =>
    runCommand(
      option,
      command.map((word) => expand(word, values)),
      {
        env: commandEnvironment(spec, values, process.env),
        logFolder: bench.root,
        limitMs: spec.startTimeoutMs,
      },
    );

  if (usedBenches.has(bench) || downTargets.has(spec)) {
    await run('--restart-command', required(spec.restartCommand, 'restart', '--restart-command'));
    downTargets.delete(spec);
  }
  usedBenches.add(bench);
  return new AttachedHost(address, spec, options, async () => {
    await run('--kill-command', required(spec.killCommand, 'kill', '--kill-command'));
    downTargets.add(spec);
  });
}

function required(command: readonly string[] | undefined, what: string, option: string): readonly string[] {
  if (command !== undefined) return command;
  throw new HostStartError(
    'commandFailed',
    `cannot ${what} a server that is not launched here: give ${option}`,
  );
}
