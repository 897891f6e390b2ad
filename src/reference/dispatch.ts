import type { Frame, RequestId } from '../wire/frame.js';
import { assertAcceptable } from './acceptance.js';
import { Call } from './call.js';
import type { Connection } from './connection.js';
import { readFingerprint } from './contract.js';
import { type ErrorObject, ProtocolError } from './errors.js';
import { agree } from './handshake.js';
import type { JsonObject } from './json.js';
import type { Method } from './method.js';
import type { Plane } from './plane.js';

type Request = Extract<Frame['message'], { kind: 'request' }>;

/** Serves one line of a client. Answers a promise where that takes more than this turn of the event loop. */
export function dispatch(connection: Connection, frame: Frame): void | Promise<void> {
  const { message } = frame;
  if (frame.value === undefined || frame.invalidUtf8At !== undefined) return refuseSyntax(connection);
  if (message.kind === 'invalid') {
    const error = new ProtocolError('invalidRequest', message.problem);
    return connection.refuse(isRequestId(message.id) ? message.id : null, error.toErrorObject());
  }
  if (message.kind === 'notification') return hear(connection, message.method, message.params);
  if (message.kind === 'request') return answer(connection, message, frame);
  // What remains are receipts for the server's own requests: they change nothing.
}

function refuseSyntax(connection: Connection): void {
  connection.refuse(null, new ProtocolError('parseError', 'the line is not JSON in UTF-8').toErrorObject());
  if (!connection.host.seams.survives(true, { problem: 'syntax' })) connection.close();
}

/** Notifications are never answered, so one that makes no sense is passed over. */
function hear(connection: Connection, method: string, params: unknown): void {
  if (method === 'initialized') connection.becomeReady();
  else if (connection.phase !== 'new') connection.host.plane?.notes.get(method)?.(connection.host, params);
}

function answer(connection: Connection, request: Request, frame: Frame): void | Promise<void> {
  const refuse = (error: unknown) => {
    connection.respond(request.id, request.method, { error: errorObject(error) });
  };
  try {
    return serve(connection, request, frame)?.catch(refuse);
  } catch (error) {
    refuse(error);
  }
}

function serve(connection: Connection, request: Request, frame: Frame): void | Promise<void> {
  const { host } = connection;
  const { method } = request;
  const gate = (isOpen: boolean, name: 'notInitialized' | 'alreadyInitialized') =>
    host.seams.gate(isOpen, { gate: name, method });
  if (method === 'initialize') {
    if (gate(connection.phase === 'new', 'alreadyInitialized')) return initialize(connection, request);
    throw new ProtocolError('alreadyInitialized', 'the connection is initialized already');
  }
  if (!gate(connection.phase !== 'new', 'notInitialized')) {
    throw new ProtocolError('notInitialized', `initialize comes before ${method}`);
  }
  return host.plane
    ? serveWith(host.plane, connection, request, frame)
    : host.prepare().then((plane) => serveWith(plane, connection, request, frame));
}

function serveWith(
  plane: Plane,
  connection: Connection,
  request: Request,
  frame: Frame,
): void | Promise<void> {
  const { host } = connection;
  const method = servedMethod(plane, connection, request.method);
  assertGranted(connection, method);
  const params = (request.params ?? {}) as JsonObject;
  const unknownMembers = assertAcceptable(plane.contract, connection, method.name, params);
  return method.serve(new Call(host, connection, request.id, method.name, params, frame, unknownMembers));
}

function assertGranted({ host, agreement }: Connection, { name, capability }: Method): void {
  if (capability === undefined) return;
  const isGranted = agreement?.granted.has(capability) === true;
  if (host.seams.gate(isGranted, { gate: 'capability', method: name })) return;
  throw new ProtocolError('capabilityRequired', `${name} needs the capability ${capability}`, {
    capability,
    retryable: false,
  });
}

async function initialize(connection: Connection, request: Request): Promise<void> {
  const { host } = connection;
  const agreement = agree((request.params ?? {}) as JsonObject, connection.grantable);
  const fingerprint = await readFingerprint();
  connection.agreement = agreement;
  connection.phase = 'answered';
  connection.respond(request.id, 'initialize', { result: host.introduction(agreement, fingerprint) });
  setImmediate(() => void host.prepare());
}

function servedMethod(plane: Plane, connection: Connection, name: string): Method {
  const { host, agreement } = connection;
  const method = plane.methods.get(name);
  if (method && !(host.isEphemeral && method.isWithheldWhenEphemeral)) return method;
  const isRefused = plane.experimentalMethods.has(name) && agreement?.isExperimental !== true;
  if (host.seams.gate(!isRefused, { gate: 'experimental', method: name })) {
    throw new ProtocolError('methodNotFound', `this host has no method ${JSON.stringify(name)}`);
  }
  const text = `${name} is experimental and needs experimentalApi: true`;
  throw new ProtocolError('experimentalRequired', text, { descriptor: name }, METHOD_NOT_FOUND);
}

const METHOD_NOT_FOUND = -32601;

function errorObject(error: unknown): ErrorObject {
  if (error instanceof ProtocolError) return error.toErrorObject();
  process.stderr.write(`${(error as Error).stack ?? String(error)}\n`);
  return new ProtocolError('internal', 'the server failed to serve this request').toErrorObject();
}

function isRequestId(id: unknown): id is RequestId {
  return typeof id === 'string' || Number.isSafeInteger(id);
}
