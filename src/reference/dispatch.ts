import type { Frame, RequestId } from '../wire/frame.js';
import { assertAcceptable } from './acceptance.js';
import { Call } from './call.js';
import type { Connection } from './connection.js';
import { type ErrorObject, ProtocolError } from './errors.js';
import { agree } from './handshake.js';
import type { JsonObject } from './json.js';
import type { Method } from './method.js';
import { EXPERIMENTAL_METHODS, METHODS } from './methods.js';
import { engage } from './planes/user-input.js';

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
  if (method === 'userInput/engaged' && connection.phase !== 'new') {
    engage(connection.host, (params ?? {}) as JsonObject);
  }
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
  const gate = (isOpen: boolean, name: 'notInitialized' | 'alreadyInitialized' | 'capability') =>
    host.seams.gate(isOpen, { gate: name, method });
  if (method === 'initialize') {
    if (gate(connection.phase === 'new', 'alreadyInitialized')) return initialize(connection, request);
    throw new ProtocolError('alreadyInitialized', 'the connection is initialized already');
  }
  if (!gate(connection.phase !== 'new', 'notInitialized')) {
    throw new ProtocolError('notInitialized', `initialize comes before ${method}`);
  }
  const entry = servedMethod(connection, method);
  const { capability } = entry;
  if (capability && !gate(connection.agreement?.granted.has(capability) === true, 'capability')) {
    throw new ProtocolError('capabilityRequired', `${method} needs the capability ${capability}`, {
      capability,
      retryable: false,
    });
  }
  const serveAccepted = () => {
    const params = (request.params ?? {}) as JsonObject;
    const unknownMembers = assertAcceptable(connection, method, params);
    return entry.serve(new Call(host, connection, request.id, method, params, frame, unknownMembers));
  };
  return host.validator ? serveAccepted() : host.loadValidator().then(serveAccepted);
}

async function initialize(connection: Connection, request: Request): Promise<void> {
  const { host } = connection;
  const agreement = agree((request.params ?? {}) as JsonObject, connection.grantable);
  const fingerprint = await host.fingerprint();
  connection.agreement = agreement;
  connection.phase = 'answered';
  connection.respond(request.id, 'initialize', { result: host.introduction(agreement, fingerprint) });
  host.warmUp();
}

function servedMethod(connection: Connection, name: string): Method {
  const { host, agreement } = connection;
  const method = METHODS.get(name);
  if (method && !(host.isEphemeral && method.isWithheldWhenEphemeral)) return method;
  const isRefused = EXPERIMENTAL_METHODS.has(name) && agreement?.isExperimental !== true;
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
