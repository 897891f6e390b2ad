import { REFERENCE_BEHAVIOURS, SERVER_NAME } from '../reference/behaviours.js';
import type { KnownServer } from '../replay/stage.js';

/** Servers whose cue words are known by the name that they give in the handshake: the bundled one, however it was started. */
export const KNOWN_SERVERS: ReadonlyMap<string, KnownServer> = new Map([
  [SERVER_NAME, { behaviours: REFERENCE_BEHAVIOURS, readsFrameLimit: true }],
]);
