import { type Call, refuseUnloaded } from './call.js';
import { commandRejected, type ErrorObject, ProtocolError, Rejection } from './errors.js';
import type { JsonObject } from './json.js';
import type { Answer, Intake } from './ledger.js';
import type { Method } from './method.js';
import type { Session } from './session.js';

/** What was decided about a command, before anything of it has happened. */
export interface Decision {
  /** The members of the ack beside `commandId` and `status`. */
  readonly ack?: JsonObject;
  /** What the command does. It runs once its intake is written, and after its ack in the order of frames. */
  readonly effect?: () => void;
  /** True for work that goes on: whoever ends it settles the intake. */
  readonly isPending?: boolean;
}

interface CommandOptions {
  readonly capability?: string;
  readonly isWithheldWhenEphemeral?: true;
  /** The intake lives as long as the host and is not on record: nothing that the command aims at survives a restart. */
  readonly isCarrierless?: true;
  /** The ack has the method's own members alone. */
  readonly hasBareAck?: true;
}

/** How many admitted commands of one session may wait for the disk. */
export const COMMAND_CAPACITY = 1024;

/** A command on a loaded session. `decide` throws what it refuses; a `Rejection` is recorded like an ack. */
export function command(
  name: string,
  decide: (call: Call, session: Session) => Decision,
  options: CommandOptions = {},
): Method {
  return {
    name,
    ...options,
    serve: (call) => {
      const session = call.loadedSession();
      return session ? admit(call, session, decide, options) : refuseUnloaded(call);
    },
  };
}

/** A read. It changes nothing, so it needs no intake. */
export function query(
  name: string,
  read: (call: Call) => JsonObject | Promise<JsonObject>,
  options: Omit<CommandOptions, 'isCarrierless' | 'hasBareAck'> = {},
): Method {
  return {
    name,
    ...options,
    serve: (call) => {
      const result = read(call);
      if (!(result instanceof Promise)) return call.respond(result);
      return result.then((awaited) => call.respond(awaited));
    },
  };
}

/**
 * Answers a command that the ledger knows as it was answered before; the payload is compared before anything else is
 * looked at. Answers false for a new one.
 */
export function isReplay(call: Call, intake: Intake | undefined): boolean {
  if (!intake) return false;
  if (intake.signature === call.signature) call.repeat(intake.answer);
  else call.refuse(conflictWith(call.commandId));
  return true;
}

export function knownIntake(call: Call, session: Session): Intake | undefined {
  const { commandId, method, signature, params, connection } = call;
  const at = { commandId, method, signature, params, connection, isReloaded: session.isReloaded };
  return call.host.seams.known(session.ledger.find(commandId), at);
}

function admit(
  call: Call,
  session: Session,
  decide: (call: Call, session: Session) => Decision,
  { isCarrierless = false, hasBareAck = false }: { isCarrierless?: boolean; hasBareAck?: boolean },
): void {
  if (isReplay(call, knownIntake(call, session))) return;
  if (session.unsyncedCommands >= COMMAND_CAPACITY) throw backpressured(COMMAND_CAPACITY);
  const { decision, answer } = decided(call, session, decide, hasBareAck);
  const { commandId, method, signature } = call;
  const hasCarrier = session.host.seams.hasCarrier(!isCarrierless, { method });
  if (!hasCarrier) {
    session.ledger.addCarrierless({ commandId, method, signature, answer, isSettled: true });
  } else {
    session.record('command', { method, signature, answer }, commandId);
  }
  call.repeat(answer);
  decision.effect?.();
  if (hasCarrier && !decision.isPending) session.settle(commandId);
}

/** The command plane is full for now; the same command may come again. */
export function backpressured(capacity: number): ProtocolError {
  return new ProtocolError('backpressured', 'too many commands are waiting', { capacity, retryable: true });
}

function decided(
  call: Call,
  session: Session,
  decide: (call: Call, session: Session) => Decision,
  hasBareAck: boolean,
): { readonly decision: Decision; readonly answer: Answer } {
  const { commandId } = call;
  try {
    const decision = decide(call, session);
    const envelope = hasBareAck ? {} : { commandId, status: 'accepted' };
    const answer: Answer = { result: { ...envelope, ...decision.ack } };
    return { decision, answer };
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    const answer: Answer = { error: commandRejected(commandId, error.reason, error.message) };
    return { decision: {}, answer };
  }
}

/** The same commandId, another payload. It says nothing about the command that came first. */
export function conflictWith(commandId: string): ErrorObject {
  return commandRejected(
    commandId,
    'command_id_conflict',
    `command ${commandId} was submitted before with another payload`,
  );
}
