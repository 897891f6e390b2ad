// A harness that leaves in its own way: starts a server, tells where it is, then does what its last argument says.
const [hostModule, workbenchModule, cleanUpModule, serverModule, address, way] = process.argv.slice(2);
const { openHost } = await import(hostModule);
const { openWorkbench } = await import(workbenchModule);
const { cleanUpAll } = await import(cleanUpModule);

const bench = await openWorkbench({ scenarioDir: '.', keep: false });
const isStdio = address === 'stdio';
const host = await openHost(
  {
    label: 'test server',
    command: [process.execPath, serverModule, isStdio ? 'neverReads' : 'socket', 'unix:{stateDir}/s.sock'],
    address: isStdio ? { kind: 'stdio' } : { kind: 'unix', path: '{stateDir}/s.sock' },
    env: {},
    inheritEnv: false,
    behaviours: {},
    startTimeoutMs: 60_000,
    graceMs: 60_000,
    timeoutMs: 60_000,
  },
  bench,
  { frameLimitBytes: 1024, clock: () => performance.now() },
);
const connection = await host.connect();
await new Promise((resolve) => connection.onFrame(resolve));
process.stdout.write(`${JSON.stringify({ server: host.pid, folder: bench.root })}\n`);

const ways = {
  exits: () => process.exit(0),
  throws: () => {
    throw new Error('a defect of the harness');
  },
  cleansUp: () => cleanUpAll(),
  isKilled: () => process.kill(process.pid, 'SIGKILL'),
  isTerminated: () => process.kill(process.pid, 'SIGTERM'),
};
await ways[way]();
