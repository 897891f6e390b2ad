import type { Contract } from './contract.js';
import type { Host } from './host.js';
import type { Method } from './method.js';
import type { Session } from './session.js';

/** Everything that a connection meets after its handshake. */
export interface Plane {
  readonly contract: Contract;
  readonly methods: ReadonlyMap<string, Method>;
  readonly experimentalMethods: ReadonlySet<string>;
  /** Notifications of clients that mean something. */
  readonly notes: ReadonlyMap<string, (host: Host, params: unknown) => void>;
  readonly recover: (session: Session) => void;
  readonly unload: (session: Session, reason: 'idle' | 'hostShutdown') => void;
}

/** Loaded apart, because a server is started far more often than it is asked for most of this. */
export async function loadPlane(): Promise<Plane> {
  const [{ loadContract }, table, { recover }, { unload }] = await Promise.all([
    import('./contract.js'),
    import('./methods.js'),
    import('./recovery.js'),
    import('./unload.js'),
  ]);
  return {
    contract: await loadContract(),
    methods: table.METHODS,
    experimentalMethods: table.EXPERIMENTAL_METHODS,
    notes: new Map([['userInput/engaged', table.engage]]),
    recover,
    unload,
  };
}
