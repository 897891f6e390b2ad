import { join } from 'node:path';
import { compare } from '../compare.js';
import { atMost, type Benchmark, type Measured } from '../figure.js';
import { comesBack, isRecorded, variedFrames } from '../passed-frames.js';
import { CLI, program, withFolder } from '../paths.js';
import { medianRoundTrip } from '../round-trips.js';
import { openingResults } from '../transcripts.js';

const FRAMES = 100_000;
const ROUND_TRIPS = 1_000;
const NODE = process.execPath;

/**
 * What a recorder that stands in for a server costs its client. The round trip is that of a durable command, the kind
 * of exchange that sessions consist of; one with a server that does nothing shows the bare cost of a process in between.
 */
export const proxy: Benchmark = {
  key: 'proxy',
  figures: [
    { name: 'round trip of a durable command through `record` / direct (medians)', bar: atMost(1.1) },
    { name: '100,000 frames through `record`: directions that are not byte-identical', bar: atMost(0) },
  ],
  measure: ({ runs }) =>
    withFolder(async (folder) => [await latency(runs, folder), await fidelity(join(folder, 'frames'))]),
};

async function latency(runs: number, folder: string): Promise<Measured> {
  let servers = 0;
  const state = () => join(folder, `state-${servers++}`);
  const recorder = (server: readonly string[]) => [NODE, CLI, 'record', '--out', state(), '--', ...server];
  const relay = (server: readonly string[]) => [NODE, program('bare-relay'), ...server];
  const durable = () => [NODE, CLI, 'serve', '--state', state()];
  const echo = () => [NODE, program('echo-server'), JSON.stringify(openingResults())];
  const time = (command: readonly string[]) => medianRoundTrip(command, ROUND_TRIPS);

  const { ratio, subject, base } = await compare(
    runs,
    () => time(recorder(durable())),
    () => time(durable()),
  );
  const least = await compare(
    runs,
    () => time(relay(durable())),
    () => time(durable()),
  );
  const nothing = await compare(
    runs,
    () => time(recorder(echo())),
    () => time(echo()),
  );
  const detail =
    `${subject.toFixed(0)} µs, ${base.toFixed(0)} µs; ${least.ratio.toFixed(2)} with a bare relay of chunks; ` +
    `echo server: ${nothing.subject.toFixed(0)} µs, ${nothing.base.toFixed(0)} µs`;
  return { value: ratio, detail };
}

async function fidelity(out: string): Promise<Measured> {
  const frames = variedFrames(FRAMES);
  const cat = [NODE, '-e', 'process.stdin.pipe(process.stdout)'];
  const began = performance.now();
  const isSame = await comesBack([NODE, CLI, 'record', '--out', out, '--id', 'frames', '--', ...cat], frames);
  const seconds = (performance.now() - began) / 1000;
  const isWritten = await isRecorded(join(out, 'frames', 'transcript.ndjson'), frames);
  const passed = isSame ? 'all came back' : 'NOT all came back';
  const recorded = isWritten ? 'all recorded in both directions' : 'NOT all recorded';
  return { value: isSame && isWritten ? 0 : 1, detail: `${seconds.toFixed(1)} s; ${passed}, ${recorded}` };
}
