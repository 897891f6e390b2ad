import type { HostStartError, HostStartReason } from './host-error.js';

/** What keeps a server from coming back that was met before. The other reasons lie with the machine or the target's commands. */
const SERVERS: ReadonlySet<HostStartReason> = new Set(['exited', 'notListening', 'notSpawned']);

/** True when a server that has been started once is itself at fault for not starting again. */
export function isServersFault({ reason }: HostStartError): boolean {
  return SERVERS.has(reason);
}

/** True when more time could have helped. */
export function isLateStart({ reason }: HostStartError): boolean {
  return reason === 'notListening';
}
