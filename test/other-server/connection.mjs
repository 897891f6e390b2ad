import { setTimeout as delay } from 'node:timers/promises';
import { Fault, methodNotFound } from './errors.mjs';
import { Inbox, idInPrefix, parseLine } from './inbox.mjs';
import { initialize } from './methods/handshake.mjs';
import { Outbox } from './outbox.mjs';
import { spell } from './spelling.mjs';

/** What no client can opt out of. */
const PROTECTED = new Set(['approval/resolved', 'userInput/settled', 'view/gap']);

/** One client: its handshake, its requests one after another, and everything it is sent. */
export class Connection {
  /** @param {import('./host.mjs').Host} host @param {import('node:stream').Readable} input @param {import('node:stream').Writable} output */
  constructor(host, input, output) {
    this.host = host;
    this.outbox = new Outbox(output);
    this.phase = /** @type {'new' | 'greeted' | 'ready'} */ ('new');
    /** @type {any} */
    this.client = undefined;
    /** @type {Set<string>} */
    this.optedOut = new Set();
    /** @type {Set<string>} */
    this.granted = new Set();
    this.takesDialogs = true;
    this.frames = 0;
    this.answered = 0;
    this.work = Promise.resolve();
    const inbox = new Inbox(host.frameLimitBytes);
    input.on('data', (chunk) => {
      for (const line of inbox.feed(chunk)) this.enqueue(line);
    });
    input.on('error', () => undefined);
    /** Resolves when the client has closed its side and all it asked for is answered. */
    this.ended = new Promise((resolve) => {
      input.once('close', resolve);
      input.once('end', resolve);
    }).then(() => this.work);
  }

  /** @param {{ line: Buffer } | { oversize: Buffer }} line */
  enqueue(line) {
    this.work = this.work.then(() => this.receive(line)).catch((error) => this.host.fail(error));
  }

  /** @param {{ line: Buffer } | { oversize: Buffer }} line */
  async receive(line) {
    if (this.host.isDraining) return;
    if ('oversize' in line) return this.refuseOversize(line.oversize);
    let frame;
    try {
      frame = parseLine(line.line);
      if (frame === undefined || isReceipt(frame)) return;
      checkEnvelope(frame);
    } catch (fault) {
      return this.refuse(idOf(frame), fault);
    }
    if (!('id' in frame)) return this.note(frame['method']);
    await this.serve(frame);
  }

  /** @param {any} frame a request */
  async serve({ id, method, params }) {
    await delay(this.host.latencyMs / 2);
    let reply;
    try {
      reply = await this.dispatch(method, params);
    } catch (fault) {
      return this.refuse(id, fault);
    }
    await delay(this.host.latencyMs / 2);
    this.send({ jsonrpc: '2.0', id, result: reply.result });
    reply.afterAck?.();
    this.answered += 1;
    if (this.answered % 4 === 0) this.notify('vendor/heartbeat', { beats: this.answered });
  }

  /** @param {string} method @param {any} params @returns {import('./admission.mjs').Reply | Promise<import('./admission.mjs').Reply>} */
  dispatch(method, params) {
    if (method === 'initialize') return initialize(this, params);
    if (this.phase !== 'ready') throw new Fault('notInitialized', 'We have not been introduced.');
    const serve = this.host.methods.get(method);
    if (serve === undefined) throw methodNotFound(method);
    return serve(this, params);
  }

  /** @param {string} method a notification of the client; unknown ones are nobody's business */
  note(method) {
    if (method === 'initialized' && this.phase === 'greeted') this.phase = 'ready';
  }

  /** @param {Buffer} prefix */
  refuseOversize(prefix) {
    const id = idInPrefix(prefix);
    const limitBytes = this.host.frameLimitBytes;
    if (id === undefined) return this.refuse(null, new Fault('parseError', 'Too long to read.'));
    this.refuse(id, new Fault('inputTooLarge', 'Please be brief.', { limitBytes }));
  }

  /** @param {string | number | null} id @param {unknown} fault */
  refuse(id, fault) {
    if (!(fault instanceof Fault)) throw fault;
    this.send({ jsonrpc: '2.0', id, error: fault.error });
  }

  /** @param {string} method @param {Record<string, any>} params */
  notify(method, params) {
    if (this.phase !== 'ready' || (this.optedOut.has(method) && !PROTECTED.has(method))) return;
    const isStamped = !method.startsWith('vendor/');
    this.send({ jsonrpc: '2.0', method, params, ...(isStamped ? { emittedAtMs: Date.now() } : {}) });
  }

  /** Asks the client to present something. @param {string} method @param {Record<string, any>} params */
  ask(method, params) {
    if (this.phase !== 'ready' || (method === 'userInput/request' && !this.takesDialogs)) return;
    this.send({ jsonrpc: '2.0', id: this.host.nextRequestId(), method, params });
  }

  /** @param {any} frame */
  send(frame) {
    this.frames += 1;
    this.outbox.push(spell(frame, this.frames));
  }
}

/** @param {any} frame whether it answers one of our requests, which settles nothing */
function isReceipt(frame) {
  return !('method' in frame) && 'id' in frame && ('result' in frame || 'error' in frame);
}

/** @param {any} frame @throws {Fault} invalidRequest, invalidParams */
function checkEnvelope(frame) {
  if (frame.jsonrpc !== '2.0' || typeof frame.method !== 'string')
    throw new Fault('invalidRequest', 'Is this JSON-RPC?');
  if ('id' in frame && idOf(frame) === null)
    throw new Fault('invalidRequest', 'An id is a string or an integer.');
  if ('id' in frame && 'params' in frame && (frame.params === null || typeof frame.params !== 'object')) {
    throw new Fault('invalidParams', 'Params are an object or absent.');
  }
}

/** @param {any} frame @returns {string | number | null} */
function idOf(frame) {
  const id = frame?.id;
  return typeof id === 'string' || Number.isInteger(id) ? id : null;
}
