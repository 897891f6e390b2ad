import type { TargetSpec } from '../../target/spec.js';
import { MemoryHost } from './memory-host.js';
import type { Broken } from './promises-broken.js';
import { Disk } from './server-state.js';

interface World {
  readonly disk: Disk;
  readonly broken: Broken;
  starts: number;
}

const worlds = new Map<string, World>();

/** Sets up an in-memory server for a workbench. */
export function setUpWorld(stateDir: string, broken: Broken): void {
  worlds.set(stateDir, { disk: new Disk(), broken, starts: 0 });
}

/** Forgets a workbench's server and tells how often it was started. */
export function tearDownWorld(stateDir: string): number {
  const starts = worlds.get(stateDir)?.starts ?? 0;
  worlds.delete(stateDir);
  return starts;
}

/** What stands in for `openHost` in these tests: an in-memory server on the disk of the workbench. */
export async function openMemoryHost(
  _spec: TargetSpec,
  { stateDir }: { readonly stateDir: string },
  { clock }: { clock(): number },
): Promise<MemoryHost> {
  const world = worlds.get(stateDir);
  if (world === undefined) throw new Error(`No in-memory server has been set up for ${stateDir}.`);
  world.starts += 1;
  return new MemoryHost(world.disk, world.broken, clock);
}
