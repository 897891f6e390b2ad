import { defineConfig } from 'vitest/config';

const resultsFile = process.env['MSP_TEST_RESULTS'];
// The table of bad manners starts some hundred servers: `npm run test:hostile` runs it, beside `npm test`.
const isHostile = process.env['MSP_TEST_HOSTILE'] === '1';

export default defineConfig({
  test: {
    include: isHostile ? ['test/hostile/*.test.ts'] : ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: isHostile ? [] : ['test/hostile/**'],
    // Generous: a busy machine is not a defect. Nothing here measures time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    reporters: resultsFile === undefined ? ['default'] : ['default', ['json', { outputFile: resultsFile }]],
  },
});
