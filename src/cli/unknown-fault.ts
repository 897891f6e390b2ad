import { FAULTS } from '../reference/faults/table.js';
import { nearest } from '../report/nearest.js';
import { UsageError } from './errors.js';

/** The error for a fault that the reference server does not have. */
export function unknownFault(name: string): UsageError {
  const close = nearest(
    name,
    FAULTS.map((fault) => fault.name),
  );
  const hint = close === undefined ? 'msp-conformance list faults shows them all.' : `Did you mean ${close}?`;
  return new UsageError(`There is no fault ${JSON.stringify(name)}. ${hint}`);
}
