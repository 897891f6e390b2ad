// node test-server.js [<server command...>]: prints a line for each scenario, then the verdict.
import { streamConformance } from 'msp-conformance';

const command = process.argv.slice(2);
const results = streamConformance(command.length > 0 ? { command } : {});

let next = await results.next();
while (!next.done) {
  const { id, status, checks } = next.value;
  console.log(`${status.padEnd(13)} ${id}`);
  for (const check of checks) if (check.status === 'failed') console.log(`  ${check.id}: ${check.message}`);
  next = await results.next();
}

const { verdict, reason } = next.value;
console.log(reason === undefined ? verdict : `${verdict}: ${reason}`);
process.exitCode = { conformant: 0, nonconformant: 1, incomplete: 3 }[verdict];
