import { readFileSync } from 'node:fs';
import { ExitCode } from './exit-codes.js';

/**
 * Runs one command line (without `node` and the script) and gives the exit code. Never throws. Everything but
 * `--version` is loaded only when it is needed.
 */
export async function main(argv: readonly string[]): Promise<number> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${packageVersion()}\n`);
    return ExitCode.conformant;
  }
  const { runProgram } = await import('./program.js');
  return runProgram(argv, packageVersion());
}

function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  return (manifest as { version: string }).version;
}
