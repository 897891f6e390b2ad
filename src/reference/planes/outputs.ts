import { query } from '../admission.js';
import type { Call } from '../call.js';
import { invalidParams, ProtocolError } from '../errors.js';
import type { JsonObject } from '../json.js';
import { findSession } from '../loading.js';
import type { Method } from '../method.js';

export const OUTPUT_METHODS: readonly Method[] = [query('item/readOutput', readOutput)];

/** The most that one call serves, in stored bytes. */
const MOST_BYTES = 6 * 1024 * 1024;

async function readOutput(call: Call): Promise<JsonObject> {
  const {
    itemId,
    outputRef,
    offsetBytes = 0,
    lengthBytes = MOST_BYTES,
  } = call.params as {
    itemId: string;
    outputRef: string;
    offsetBytes?: number;
    lengthBytes?: number;
  };
  const { state } = await findSession(call.host, call.sessionId);
  const stored = state.outputs.get(outputRef);
  if (stored?.itemId !== itemId) {
    throw new ProtocolError('notFound', 'the item has no such output', { itemId, outputRef });
  }
  const bytes = Buffer.from(stored.base64, 'base64');
  if (offsetBytes < 0 || offsetBytes > bytes.length)
    throw invalidParams('offsetBytes: expected a place in the output');
  if (lengthBytes < 1) throw invalidParams('lengthBytes: expected at least 1');
  if (isContinuation(bytes[offsetBytes])) throw misaligned(bytes, offsetBytes, itemId, outputRef);
  const served = fitting(
    bytes.subarray(offsetBytes),
    Math.min(lengthBytes, MOST_BYTES),
    call.host.contentLimitBytes,
  );
  if (served.length === 0 && offsetBytes < bytes.length) {
    throw new ProtocolError('outputResultTooLarge', 'not one character fits', { itemId, outputRef });
  }
  return {
    content: served.toString('utf8'),
    encoding: 'utf8',
    mediaType: stored.mediaType,
    offsetBytes,
    byteLen: served.length,
    eof: offsetBytes + served.length === bytes.length,
  };
}

/** The longest beginning within both limits that ends between characters. `frameBytes` counts JSON's escapes as well. */
function fitting(bytes: Buffer, lengthBytes: number, frameBytes: number): Buffer {
  for (let length = Math.min(lengthBytes, bytes.length); length > 0; length = Math.floor(length / 2)) {
    let end = length;
    while (end > 0 && isContinuation(bytes[end])) end -= 1;
    const served = bytes.subarray(0, end);
    if (Buffer.byteLength(JSON.stringify(served.toString('utf8'))) <= frameBytes) return served;
  }
  return bytes.subarray(0, 0);
}

function misaligned(bytes: Buffer, offset: number, itemId: string, outputRef: string): ProtocolError {
  let next = offset;
  while (isContinuation(bytes[next])) next += 1;
  return invalidParams('offsetBytes: it lies within a character', {
    itemId,
    outputRef,
    alignedNextOffset: next,
  });
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
