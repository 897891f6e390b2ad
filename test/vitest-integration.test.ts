import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const here = import.meta.dirname;
const vitest = join(here, '..', 'node_modules', 'vitest', 'vitest.mjs');

describe('msp-conformance/vitest', () => {
  it('declares a test for each check of each scenario', async () => {
    const results = await runSample();
    const statusOf = (name: string) => results.find(({ fullName }) => fullName === name)?.status;

    expect(statusOf('honest one-turn wire/no-carriage-return')).toBe('passed');
    expect(statusOf('honest one-turn idempotency/duplicate-ack-identical')).toBe('passed');
    expect(statusOf('honest something was checked')).toBe('passed');
    expect(
      results.filter(({ fullName, status }) => fullName.startsWith('honest') && status === 'failed'),
    ).toEqual([]);

    expect(statusOf('broken one-turn wire/no-carriage-return')).toBe('failed');
    expect(statusOf('broken one-turn wire/utf8')).toBe('passed');
    const [message] =
      results.find(({ fullName }) => fullName.endsWith('broken one-turn wire/no-carriage-return'))
        ?.failureMessages ?? [];
    expect(message).toMatch(/rule .*\n[\s\S]*wire, in ms/);

    expect(statusOf('not started one-turn can be finished')).toBe('failed');
    expect(statusOf('not started something was checked')).toBe('failed');
  });
});

interface TestResult {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

async function runSample(): Promise<readonly TestResult[]> {
  const words = [
    'run',
    '--root',
    join(here, 'everyday'),
    '--config',
    join(here, 'everyday', 'vitest.config.js'),
  ];
  const stdout = await new Promise<string>((resolve) => {
    // A run with failures ends with 1; what it wrote says whether it ran.
    execFile(process.execPath, [vitest, ...words, '--reporter=json'], { maxBuffer: 1e8 }, (_, text) =>
      resolve(text),
    );
  });
  const { testResults } = JSON.parse(stdout) as {
    readonly testResults: readonly { readonly assertionResults: readonly TestResult[] }[];
  };
  return testResults.flatMap(({ assertionResults }) => assertionResults);
}
