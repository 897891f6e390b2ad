import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

/**
 * Standard output as a stream that does not block and that can be closed, unlike `process.stdout`: a reader that
 * is slow must hold up its own direction only, and must see the end when the server closes its side.
 */
export function ownStdout(): Writable {
  const stat = fstatSync(STDOUT);
  return stat.isFIFO() || stat.isSocket()
    ? new Socket({ fd: STDOUT, readable: false, writable: true })
    : process.stdout;
}

const STDOUT = 1;
