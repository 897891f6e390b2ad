import { fileURLToPath } from 'node:url';
import { conformance } from 'msp-conformance/vitest';

const program = fileURLToPath(import.meta.resolve('../../bin/msp-conformance.js'));
const scenarios = [fileURLToPath(import.meta.resolve('./scenarios'))];

conformance({ name: 'honest', scenarios, passes: ['duplicate'] });
conformance({
  name: 'broken',
  scenarios,
  passes: [],
  command: [process.execPath, program, 'serve', '--fault', 'carriage-returns'],
});
conformance({ name: 'not started', scenarios, passes: [], command: ['./no-such-server'] });
