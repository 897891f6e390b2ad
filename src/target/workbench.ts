/** The folders and the port of one scenario run. A restarted server finds them as its predecessor left them. */
export interface Workbench {
  /** Parent of the other folders, private to the user. */
  readonly root: string;
  readonly stateDir: string;
  readonly workspace: string;
  readonly scenarioDir: string;
  /** A loopback port that was free when the workbench was opened. */
  readonly port: number;
  /** Removes the folders, unless they are kept. */
  dispose(): Promise<void>;
}

/** Makes fresh folders in the system's temporary folder. `keep` leaves them for inspection. */
export function openWorkbench(_options: {
  readonly scenarioDir: string;
  readonly keep: boolean;
}): Promise<Workbench> {
  throw new Error('not built yet');
}
