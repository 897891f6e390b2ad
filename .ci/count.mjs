// Prints the closing line of a check, `N passed, M failed`, from the counts that the test runner wrote.
import { readFileSync } from 'node:fs';

const [, , file, exitCode] = process.argv;

function counts() {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(file, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests };
  } catch {
    // The run ended before the tests: that is one failure, and nothing passed.
    return { passed: 0, failed: exitCode === '0' ? 0 : 1, skipped: 0 };
  }
}

const { passed, failed, skipped } = counts();
console.log(
  skipped > 0
    ? `${passed} passed, ${failed} failed, ${skipped} skipped`
    : `${passed} passed, ${failed} failed`,
);
