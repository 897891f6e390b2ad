/** Codes by kind; a kind that shares a code with another one carries it too. */
const CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  notInitialized: -32600,
  alreadyInitialized: -32600,
  methodNotFound: -32601,
  experimentalRequired: -32602,
  invalidParams: -32602,
  internal: -32603,
  inputTooLarge: -32002,
  capabilityRequired: -32010,
  notFound: -32011,
  sessionNotFound: -32020,
  sessionInUse: -32021,
  forkBoundaryInvalid: -32023,
  sessionNotLoaded: -32024,
  commandRejected: -32030,
  skillNotFound: -32032,
  uploadNotFound: -32038,
  noBoundary: -32042,
  approvalNotFound: -32050,
  approvalAlreadyResolved: -32051,
  approvalChoiceInvalid: -32052,
  approvalRequirementStale: -32053,
  userInputNotFound: -32055,
  userInputAlreadySettled: -32056,
  userInputAnswerInvalid: -32057,
};

/** A refusal that travels as a JSON-RPC error. Only those made by `rejection` are durable. */
export class Fault extends Error {
  /**
   * @param {keyof typeof CODES} kind @param {string} message
   * @param {Record<string, unknown>} [extra] members of `data` beside `kind`
   * @param {number} [code] where the kind travels under another code than its own
   */
  constructor(kind, message, extra = {}, code = CODES[kind]) {
    super(message);
    this.kind = kind;
    this.error = { message, data: { ...extra, kind }, code };
  }

  get isDurable() {
    return this.kind === 'commandRejected';
  }
}

/** @param {string} commandId @param {string} reason snake_case @param {Record<string, unknown>} [extra] @returns {Fault} */
export function rejection(commandId, reason, extra = {}) {
  return new Fault('commandRejected', `No, thank you (${reason.replaceAll('_', ' ')}).`, {
    commandId,
    reason,
    ...extra,
  });
}

/** @param {string} method @returns {Fault} */
export function methodNotFound(method) {
  return new Fault('methodNotFound', `This host has never heard of "${method}".`, { retryable: false });
}
