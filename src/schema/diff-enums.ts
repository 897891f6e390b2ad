import { describeValue } from './describe-value.js';
import type { EnumChoices } from './enum-choices.js';
import { additive, breaking, type SchemaChange } from './schema-change.js';

/** What differs between two lists of values. */
export function diffEnums(was: EnumChoices, is: EnumChoices, path: string): SchemaChange[] {
  const added = is.values.filter((value) => !was.values.includes(value));
  const removed = was.values.filter((value) => !is.values.includes(value));
  return [
    ...added.map((value) => addedValue(value, is.experimental.has(value), was.isOpen, path)),
    ...removed.map((value) =>
      was.experimental.has(value)
        ? additive(
            path,
            `experimental value ${describeValue(value)} removed`,
            'the surface is experimental and may change',
          )
        : breaking(
            path,
            `value ${describeValue(value)} removed`,
            'clients that send or expect it are left without it',
          ),
    ),
    ...diffOpenness(was.isOpen, is.isOpen, path),
  ];
}

function addedValue(value: unknown, isExperimental: boolean, wasOpen: boolean, path: string): SchemaChange {
  const change = `value ${describeValue(value)} added`;
  if (isExperimental) return additive(path, change, 'only connections that opted in meet it');
  return wasOpen
    ? additive(path, change, 'the enum is open: clients tolerate values they do not know')
    : breaking(path, change, 'the enum is closed: clients may rely on the list being complete');
}

function diffOpenness(wasOpen: boolean, isOpen: boolean, path: string): SchemaChange[] {
  if (wasOpen === isOpen) return [];
  return isOpen
    ? [
        breaking(
          path,
          'closed enum became open',
          'clients that rely on a complete list will meet other values',
        ),
      ]
    : [additive(path, 'open enum became closed', 'no value comes that a tolerant client does not know')];
}
