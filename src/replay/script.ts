import type { Bundle } from '../schema/bundle.js';
import type { BehaviourName, ControlStep, Scenario } from '../transcript/scenario.js';
import { decodeFrame } from '../wire/decode.js';
import type { Frame } from '../wire/frame.js';
import { idKey } from '../wire/ids.js';
import { inferBehaviours } from './behaviours.js';

/** A recorded client frame. */
export interface ClientStep {
  readonly kind: 'client';
  readonly line: number;
  readonly raw: string;
  readonly frame: Frame;
  /** Set on requests and notifications. */
  readonly method: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  /** A request whose params carry a `commandId` in the bundle. */
  readonly isCommand: boolean;
  /** The recorded response, when the recording has one. */
  response: ServerStep | undefined;
  /** Set on a receipt: the recorded server request that it answers. */
  readonly receiptFor: ServerStep | undefined;
  /** What the server's model must do with this input. */
  behaviour: BehaviourName | undefined;
}

/** A recorded server frame. An `orphan` is a response that answers no request by its id, e.g. a parse error. */
export interface ServerStep {
  readonly kind: 'server';
  readonly line: number;
  readonly frame: Frame;
  readonly role: 'response' | 'event' | 'request' | 'orphan';
  readonly method: string | undefined;
  readonly params: Readonly<Record<string, unknown>>;
  /** Set on a response: the client request that it answers. */
  readonly asked: ClientStep | undefined;
}

export interface ControlPoint extends ControlStep {
  readonly kind: 'control';
}

export type ScriptStep = ClientStep | ServerStep | ControlPoint;

/** A scenario read as a script: each frame decoded once, responses and receipts tied to what they answer. */
export interface Script {
  readonly scenario: Scenario;
  readonly steps: readonly ScriptStep[];
  /** Recorded commands in the order they were sent, each once per line. */
  readonly commands: readonly ClientStep[];
  /** The recorded `initialize` request that succeeded, when the recording begins with the usual handshake. */
  readonly handshake: ClientStep | undefined;
}

export function readScript(scenario: Scenario, bundle: Bundle): Script {
  const reader = new ScriptReader(bundle);
  const steps = scenario.steps.map((step): ScriptStep => {
    if (step.dir === 'control') return { ...step, kind: 'control' };
    const frame = decodeFrame(step.raw);
    return step.dir === 'client'
      ? reader.client(step.raw, frame, step.line)
      : reader.server(frame, step.line);
  });
  const clients = steps.filter((step) => step.kind === 'client');
  for (const [line, behaviour] of inferBehaviours(scenario, steps)) {
    const step = clients.find((candidate) => candidate.line === line);
    if (step !== undefined) step.behaviour = behaviour;
  }
  return {
    scenario,
    steps,
    commands: clients.filter((step) => step.isCommand),
    handshake: usualHandshake(steps),
  };
}

class ScriptReader {
  readonly #asked = new Map<string, ClientStep>();
  readonly #serverRequests = new Map<string, ServerStep>();

  constructor(private readonly bundle: Bundle) {}

  client(raw: string, frame: Frame, line: number): ClientStep {
    const { message } = frame;
    const method = 'method' in message ? message.method : undefined;
    const step: ClientStep = {
      kind: 'client',
      line,
      raw,
      frame,
      method,
      params: paramsOf(frame),
      isCommand: message.kind === 'request' && this.bundle.isCommand(message.method),
      response: undefined,
      receiptFor: this.#takeRequest(frame),
      behaviour: undefined,
    };
    if (message.kind === 'request') this.#asked.set(idKey(message.id), step);
    return step;
  }

  server(frame: Frame, line: number): ServerStep {
    const { message } = frame;
    const method = 'method' in message ? message.method : undefined;
    const asked = this.#takeAsked(frame);
    const role = roleOf(frame, asked);
    const step: ServerStep = { kind: 'server', line, frame, role, method, params: paramsOf(frame), asked };
    if (asked !== undefined) asked.response = step;
    if (message.kind === 'request') this.#serverRequests.set(idKey(message.id), step);
    return step;
  }

  #takeRequest(frame: Frame): ServerStep | undefined {
    const { message } = frame;
    if ((message.kind !== 'success' && message.kind !== 'error') || message.id === null) return undefined;
    return this.#serverRequests.get(idKey(message.id));
  }

  #takeAsked(frame: Frame): ClientStep | undefined {
    const { message } = frame;
    if ((message.kind !== 'success' && message.kind !== 'error') || message.id === null) return undefined;
    const key = idKey(message.id);
    const asked = this.#asked.get(key);
    this.#asked.delete(key);
    return asked;
  }
}

function roleOf(frame: Frame, asked: ClientStep | undefined): ServerStep['role'] {
  if (frame.message.kind === 'request') return 'request';
  if (frame.message.kind === 'notification') return 'event';
  return asked === undefined ? 'orphan' : 'response';
}

function paramsOf(frame: Frame): Readonly<Record<string, unknown>> {
  const params = 'params' in frame.message ? frame.message.params : undefined;
  return typeof params === 'object' && params !== null && !Array.isArray(params)
    ? (params as Readonly<Record<string, unknown>>)
    : {};
}

function usualHandshake(steps: readonly ScriptStep[]): ClientStep | undefined {
  const clients = steps.filter((step) => step.kind === 'client');
  const [first, second] = clients;
  const isUsual = first?.method === 'initialize' && second?.method === 'initialized';
  return isUsual && first.response?.frame.message.kind === 'success' ? first : undefined;
}
