import { readFileSync, writeFileSync } from 'node:fs';

/** What a process used until it exited. */
export interface Usage {
  /** Its own processor time, in milliseconds. */
  readonly cpuMs: number;
  /** That of all its descendants that have ended and were waited for; undefined where the system does not tell. */
  readonly childrenCpuMs: number | undefined;
  /** The largest resident set, in bytes. */
  readonly peakBytes: number;
}

/**
 * Preloaded into the process that is measured: only from within can its own time be told from its children's.
 */
process.on('exit', () => {
  const file = process.env['MSP_BENCH_USAGE'];
  if (file !== undefined) writeFileSync(file, JSON.stringify(usage()));
});

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, childrenCpuMs: childrenCpuMs(), peakBytes: peakBytes() };
}

/** Clock ticks are hundredths of a second on Linux, whatever the kernel's own rate. */
const MS_PER_TICK = 10;

function childrenCpuMs(): number | undefined {
  const stat = procFile('stat');
  // The name of the program may hold spaces and brackets; the state follows the last bracket.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK;
}

/** `maxRSS` is kept over exec, so that it may be that of the process which started this one. */
function peakBytes(): number {
  const highWater = /^VmHWM:\s*(\d+) kB$/m.exec(procFile('status') ?? '')?.[1];
  return (highWater === undefined ? process.resourceUsage().maxRSS : Number(highWater)) * 1024;
}

function procFile(name: string): string | undefined {
  try {
    return readFileSync(`/proc/self/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}
