// Prints the closing line of a check, `N passed, M failed`, from the counts that the test runner wrote.
import { readFileSync } from 'node:fs';

const [, , exitCode, ...files] = process.argv;

const total = files.map(counts).reduce((a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
}));
// A run that ended before its tests is one failure.
const failed = total.failed === 0 && exitCode !== '0' ? 1 : total.failed;
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
console.log(`${total.passed} passed, ${failed} failed${skipped}`);

function counts(file) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(file, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests };
  } catch {
    return { passed: 0, failed: 0, skipped: 0 };
  }
}
