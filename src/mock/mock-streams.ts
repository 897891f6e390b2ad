import type { Readable, Writable } from 'node:stream';
import { within } from '../target/within.js';
import type { Scenario } from '../transcript/scenario.js';
import { complete, type Ending, lineLimit, type MockOptions } from './mock-options.js';
import { play } from './play.js';
import { Player } from './player.js';
import { ProgressFile } from './progress-file.js';

/** A client that has been told of the end by our closed output closes its own; one that has not is not waited for. */
const FAREWELL_MS = 2000;

/** Plays a scenario's server over one pair of streams, which is the connection for the whole life of the process. */
export async function mockStreams(
  scenario: Scenario,
  streams: { readonly from: Readable; readonly to: Writable },
  options: MockOptions,
): Promise<Ending> {
  const progress = new ProgressFile(options.stateDir, scenario);
  const player = new Player(scenario, progress.read());
  const ended = new Promise<void>((resolve) => {
    streams.from.once('end', resolve);
    streams.from.once('close', resolve);
  });
  const played = await play(player, streams, lineLimit(scenario));
  switch (played.kind) {
    case 'failed':
      options.say(played.failure);
      return 1;
    case 'complete':
      progress.clear();
      return complete(scenario, options, () => ended);
    case 'control':
      progress.write(player.progress);
      if (played.op === 'crash') return 'SIGKILL';
      streams.to.end();
      await within(ended, FAREWELL_MS);
      return 0;
  }
}
