import { Fault } from './errors.mjs';

const LF = 0x0a;
const PREFIX_BYTES = 4096;

/**
 * Cuts bytes into lines under a cap. A longer line is thrown away as it arrives; only its first bytes are kept, to find
 * the request id in.
 */
export class Inbox {
  /** @param {number} limit in bytes, line end not counted */
  constructor(limit) {
    this.limit = limit;
    /** @type {Buffer[]} */
    this.parts = [];
    this.size = 0;
  }

  /** @param {Buffer} chunk @returns {Array<{ line: Buffer } | { oversize: Buffer }>} */
  feed(chunk) {
    const lines = [];
    let from = 0;
    for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, from)) {
      this.keep(chunk.subarray(from, end));
      lines.push(this.take());
      from = end + 1;
    }
    this.keep(chunk.subarray(from));
    return lines;
  }

  /** @param {Buffer} part */
  keep(part) {
    this.size += part.length;
    if (this.size <= this.limit) this.parts.push(part);
    else this.parts = [Buffer.concat([...this.parts, part]).subarray(0, PREFIX_BYTES)];
  }

  /** @returns {{ line: Buffer } | { oversize: Buffer }} */
  take() {
    const bytes = Buffer.concat(this.parts);
    const isOversize = this.size > this.limit;
    this.parts = [];
    this.size = 0;
    return isOversize ? { oversize: bytes } : { line: bytes };
  }
}

/**
 * One line as a frame object; undefined for an empty one.
 * @param {Buffer} line @returns {Record<string, any> | undefined} @throws {Fault} parseError, invalidRequest
 */
export function parseLine(line) {
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(line).trim();
  } catch {
    throw new Fault('parseError', 'These bytes are not UTF-8.');
  }
  if (text === '') return undefined;
  let frame;
  try {
    frame = JSON.parse(text);
  } catch {
    throw new Fault('parseError', 'Could not make sense of that line.');
  }
  if (frame === null || typeof frame !== 'object' || Array.isArray(frame)) {
    throw new Fault('invalidRequest', 'A frame has to be an object.');
  }
  return frame;
}

/**
 * The id of a request of which only the beginning was kept: the member `id` of the outermost object, if it is there.
 * @param {Buffer} prefix @returns {string | number | undefined}
 */
export function idInPrefix(prefix) {
  const text = prefix.toString('utf8');
  const token = /"(?:[^"\\]|\\.)*"|[{}[\]]/gy;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    if (found === undefined) continue;
    if (depth === 1 && found === '"id"') {
      const value = /^\s*:\s*("(?:[^"\\]|\\.)*"|-?\d+)\s*[,}]/.exec(text.slice(at + found.length))?.[1];
      if (value !== undefined) return JSON.parse(value);
    }
    if (found === '{' || found === '[') depth += 1;
    if (found === '}' || found === ']') depth -= 1;
    at += found.length - 1;
  }
  return undefined;
}
