import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../bin/msp-conformance.js', import.meta.url));

/** A few quick ones of each family; the whole matrix is a run of its own. */
const SOME = [
  'duplicate-runs-again',
  'ledger-per-connection',
  'cursors-per-connection',
  'conflict-poisons-the-original',
  'rejection-changes-its-reason',
  'missing-command-id-minted',
  'any-command-id-taken',
  'ledger-in-memory',
  'change-lost-at-crash',
  'log-line-on-stdout',
  'frame-over-the-limit',
  'bad-line-ends-the-server',
  'closed-enum-widened',
  'initialize-twice',
  'page-loses-an-event',
  'completed-turn-has-an-error',
  'approval-never-asked-for',
  'does-not-start-again',
];

it('catches some faults of each family without accusing the honest server', async () => {
  const { code, out } = await selftest('--json', ...SOME.flatMap((name) => ['--only', name]));
  const { totals, faults, honest } = JSON.parse(out);
  const survivors = faults.filter(({ isCaught }: { isCaught: boolean }) => !isCaught);
  expect(survivors).toEqual([]);
  expect(honest.flatMap(({ alarms }: { alarms: unknown[] }) => alarms)).toEqual([]);
  expect(totals).toEqual({ faults: SOME.length, caught: SOME.length, falseAlarms: 0 });
  expect(code).toBe(0);
}, 300_000);

it('knows its faults by name', async () => {
  const { code, err } = await selftest('--only', 'conflict-acepted');
  expect(code).toBe(2);
  expect(err).toContain('Did you mean conflict-accepted?');
});

it('lists the faults with what each breaks and what catches it', async () => {
  const { code, out } = await selftest('--list');
  expect(code).toBe(0);
  expect(out).toMatch(/ledger-in-memory\n {2}breaks: .*\n {2}caught by: idempotency\//);
});

async function selftest(...args: readonly string[]) {
  const process_ = spawn(process.execPath, [PROGRAM, 'selftest', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([
    text(process_.stdout),
    text(process_.stderr),
    once(process_, 'exit') as Promise<[number | null]>,
  ]);
  return { code, out, err };
}
