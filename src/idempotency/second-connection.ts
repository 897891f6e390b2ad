import type { Exchange } from '../replay/exchange.js';
import type { Probe } from './probe.js';
import { handshakeOn } from './sessions.js';

/** Opens a connection beside the present one and initializes it. A server may refuse a second client: then says how. */
export async function secondConnection(probe: Probe): Promise<Exchange | { readonly refusal: string }> {
  try {
    const other = await probe.stage.connectBeside();
    const refusal = await handshakeOn(probe, other);
    if (refusal === undefined) return other;
    other.connection.destroy();
    return { refusal: `The server does not serve a second connection: ${refusal}.` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { refusal: `The server does not take a second connection: ${why}` };
  }
}
