import { cpus, loadavg, platform, release, totalmem } from 'node:os';

/** What the figures were measured on, in one line. */
export function machine(): string {
  const processors = cpus();
  const model = processors[0]?.model.trim() ?? 'unknown processor';
  const memory = `${(totalmem() / 1024 ** 3).toFixed(0)} GiB`;
  const load = loadavg()[0]?.toFixed(1);
  return `${processors.length} × ${model}, ${memory}, ${platform()} ${release()}, Node ${process.version}, load ${load}`;
}
