export type { ConnectionEnd } from './rules/observation.js';
export { StreamChecker } from './rules/stream-checker.js';
export type { CheckOutcome, Occurrence } from './rules/verdicts.js';
