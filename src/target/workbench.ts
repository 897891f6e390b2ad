import { mkdir, mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { registerFolder, removeFolder } from './clean-up.js';
import { homeFolders } from './environment.js';

/** The folders and the port of one scenario run. A restarted server finds them as its predecessor left them. */
export interface Workbench {
  /** Parent of the other folders, private to the user. */
  readonly root: string;
  readonly stateDir: string;
  readonly workspace: string;
  /** Absolute path of the scenario's folder. */
  readonly scenarioDir: string;
  /** A loopback port that was free when the workbench was opened. */
  readonly port: number;
  /** True when `dispose` leaves the folders. */
  readonly keep: boolean;
  dispose(): Promise<void>;
}

/** Makes fresh folders in the system's temporary folder. `keep` leaves them for inspection. Rejects when the disk refuses. */
export async function openWorkbench(options: {
  readonly scenarioDir: string;
  readonly keep: boolean;
}): Promise<Workbench> {
  const root = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  if (!options.keep) registerFolder(root);
  const stateDir = join(root, 'state');
  const workspace = join(root, 'workspace');
  for (const folder of [stateDir, workspace, ...homeFolders(stateDir)]) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
  return {
    root,
    stateDir,
    workspace,
    scenarioDir: resolve(options.scenarioDir),
    port: await freePort(),
    keep: options.keep,
    dispose: async () => {
      if (!options.keep) await removeFolder(root);
    },
  };
}

/** Between here and the server's own listening somebody else may take the port: the server then says so and exits. */
function freePort(): Promise<number> {
  return new Promise((resolvePort, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolvePort(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
