import { defineConfig } from 'vitest/config';

const resultsFile = process.env['MSP_TEST_RESULTS'];

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Generous: a busy machine is not a defect. Nothing here measures time.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
    reporters: resultsFile === undefined ? ['default'] : ['default', ['json', { outputFile: resultsFile }]],
  },
});
