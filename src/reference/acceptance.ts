import type { SchemaOutcome } from '../schema/outcome.js';
import { isUuidV7 } from '../wire/uuid-v7.js';
import type { Connection } from './connection.js';
import type { Contract } from './contract.js';
import { invalidParams, ProtocolError } from './errors.js';
import { isUuid } from './ids.js';
import type { JsonObject } from './json.js';

/**
 * Throws for params that a method does not take on this connection: `experimentalRequired` for what the connection did not
 * opt in to, `invalidParams` for the rest. Answers the JSON Pointers of the members that are ignored.
 */
export function assertAcceptable(
  contract: Contract,
  connection: Connection,
  method: string,
  params: JsonObject,
): readonly string[] {
  const outcome = contract.validateParams(method, params);
  assertOptedIn(connection, method, outcome);
  const unknownMembers = pathsOf(outcome, 'unknownMember');
  const problem = problemOf(outcome) ?? idProblem(params);
  const objection = connection.host.seams.objection(problem, { method, params, unknownMembers });
  if (objection !== undefined) throw invalidParams(objection);
  return unknownMembers;
}

function assertOptedIn(connection: Connection, method: string, outcome: SchemaOutcome): void {
  const use = outcome.notes.find(({ rule }) => rule === 'experimental');
  const isOpen = use === undefined || connection.agreement?.isExperimental === true;
  if (connection.host.seams.gate(isOpen, { gate: 'experimental', method })) return;
  const descriptor = use?.descriptor ?? method;
  throw new ProtocolError(
    'experimentalRequired',
    `${descriptor} is experimental and needs experimentalApi: true`,
    {
      descriptor,
    },
  );
}

/** A list that may grow elsewhere does not grow here: a value that this host does not know is one that it cannot act on. */
function problemOf({ violations, notes }: SchemaOutcome): string | undefined {
  return (violations[0] ?? notes.find(({ rule }) => rule === 'openEnum'))?.message;
}

function pathsOf({ notes }: SchemaOutcome, rule: 'unknownMember'): readonly string[] {
  return notes.filter((note) => note.rule === rule).map(({ path }) => path);
}

function idProblem(params: JsonObject): string | undefined {
  const { commandId } = params;
  if (typeof commandId === 'string' && !isUuidV7(commandId)) return 'commandId: expected a UUIDv7';
  const malformed = ['turnId', 'expectedTurnId'].find((name) => {
    const id = params[name];
    return typeof id === 'string' && !isUuid(id);
  });
  return malformed === undefined ? undefined : `${malformed}: expected a UUID`;
}
