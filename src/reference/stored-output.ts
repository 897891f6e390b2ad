import { createHash } from 'node:crypto';
import type { JsonObject } from './json.js';
import type { Session } from './session.js';

/** Keeps the whole output of a tool beside the view. Answers the reference that the item carries. */
export function storeOutput(session: Session, itemId: string, text: string): JsonObject {
  const id = session.host.ids.next();
  const bytes = Buffer.from(text);
  session.record('output', { id, itemId, mediaType: 'text/plain', base64: bytes.toString('base64') });
  return {
    id,
    uri: `msp-output://${session.id}/${id}`,
    kind: 'tool_output',
    availability: 'available',
    byteLen: bytes.length,
    mediaType: 'text/plain',
    digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
  };
}
