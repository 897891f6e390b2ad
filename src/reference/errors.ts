import { type JsonObject, present } from './json.js';

/** Every error kind that this server sends, with its code in the registry. */
const CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  notInitialized: -32600,
  alreadyInitialized: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  experimentalRequired: -32602,
  internal: -32603,
  pageEventTooLarge: -32603,
  outputResultTooLarge: -32603,
  overloaded: -32001,
  inputTooLarge: -32002,
  capabilityRequired: -32010,
  notFound: -32011,
  sessionNotFound: -32020,
  sessionInUse: -32021,
  forkBoundaryInvalid: -32023,
  sessionNotLoaded: -32024,
  commandRejected: -32030,
  backpressured: -32031,
  skillNotFound: -32032,
  computerUseUnavailable: -32033,
  uploadNotFound: -32038,
  viewTruncated: -32040,
  outputUnavailable: -32041,
  noBoundary: -32042,
  approvalNotFound: -32050,
  approvalAlreadyResolved: -32051,
  approvalChoiceInvalid: -32052,
  approvalRequirementStale: -32053,
  userInputNotFound: -32055,
  userInputAlreadySettled: -32056,
  userInputAnswerInvalid: -32057,
} as const;

export type ErrorKind = keyof typeof CODES;

/** The `error` member of an error response. */
export interface ErrorObject {
  readonly code: number;
  readonly message: string;
  readonly data: JsonObject;
}

/** A refusal that reaches the client as an error response. It admits nothing and settles nothing. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError';
  constructor(
    readonly kind: ErrorKind,
    message: string,
    /** The members of `data` beside `kind`. */
    readonly members: JsonObject = {},
    readonly code: number = CODES[kind],
  ) {
    super(message);
  }

  toErrorObject(): ErrorObject {
    return {
      code: this.code,
      message: this.message,
      data: present({ kind: this.kind, ...this.members }),
    };
  }
}

/** The runtime's durable no to a command. It is recorded, so that a replay gets the same one. */
export class Rejection extends Error {
  override readonly name = 'Rejection';
  constructor(
    /** Stable snake_case word, `data.reason` on the wire. */
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

export function commandRejected(commandId: string, reason: string, message: string): ErrorObject {
  return new ProtocolError('commandRejected', message, {
    commandId,
    reason,
    retryable: false,
  }).toErrorObject();
}

export function invalidParams(message: string, members?: JsonObject): ProtocolError {
  return new ProtocolError('invalidParams', message, members);
}
