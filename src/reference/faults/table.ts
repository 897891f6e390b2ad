import type { Fault } from '../faults.js';
import { CARRIERLESS_FAULTS } from './carrierless.js';
import { CONFLICT_FAULTS } from './conflict.js';
import { CRASH_FAULTS } from './crash.js';
import { HANDSHAKE_FAULTS } from './handshake.js';
import { ID_FAULTS } from './ids.js';
import { LEDGER_FAULTS } from './ledger.js';
import { PROCESS_FAULTS } from './process.js';
import { REJECTION_FAULTS } from './rejection.js';
import { REPLAY_FAULTS } from './replay.js';
import { SCHEMA_FAULTS } from './schema.js';
import { TURN_FAULTS } from './turn.js';
import { VIEW_FAULTS } from './view.js';
import { WIRE_FAULTS } from './wire.js';

/** Every fault that `serve --fault NAME` knows, family by family. */
export const FAULTS: readonly Fault[] = [
  ...LEDGER_FAULTS,
  ...CONFLICT_FAULTS,
  ...REJECTION_FAULTS,
  ...ID_FAULTS,
  ...CRASH_FAULTS,
  ...CARRIERLESS_FAULTS,
  ...WIRE_FAULTS,
  ...SCHEMA_FAULTS,
  ...HANDSHAKE_FAULTS,
  ...VIEW_FAULTS,
  ...TURN_FAULTS,
  ...REPLAY_FAULTS,
  ...PROCESS_FAULTS,
];
