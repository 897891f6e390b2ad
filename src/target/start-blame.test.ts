import { expect, it } from 'vitest';
import { HostStartError, type HostStartReason } from './host-error.js';
import { isServersFault } from './start-blame.js';

it.each<[HostStartReason, boolean]>([
  ['exited', true],
  ['notListening', true],
  ['notSpawned', true],
  ['occupied', false],
  ['badAddress', false],
  ['commandFailed', false],
])('a further start that ends as %s is the fault of the server: %s', (reason, expected) => {
  expect(isServersFault(new HostStartError(reason, ''))).toBe(expected);
});
