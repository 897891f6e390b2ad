import { describeValue } from './describe-value.js';
import { disputedReason } from './disputed.js';
import { isEvent } from './events.js';
import { type Examiner, examine } from './examine.js';
import { type Findings, note, type Place, placeWithin, violate } from './findings.js';
import { isJsonObject, type JsonSchema, listsItsMembers } from './json-schema.js';

type JsonObject = Readonly<Record<string, unknown>>;

/** Reads an object's members: the required ones, the known ones, and those that the schema does not list. */
export function examineMembers(
  by: Examiner,
  schema: JsonSchema,
  value: JsonObject,
  at: Place,
  found: Findings,
): void {
  for (const member of schema.required ?? []) {
    if (!Object.hasOwn(value, member)) examineAbsence(member, at, found);
  }
  for (const [member, memberValue] of Object.entries(value)) {
    if (member === 'params' && isEvent(at.definition)) examineEventParams(by, schema, value, at, found);
    else examineMember(by, schema, member, memberValue, placeWithin(at, member), found);
  }
}

function examineAbsence(member: string, at: Place, found: Findings): void {
  const why = disputedReason(at.definition, member, 'absent');
  if (why === undefined)
    violate(found, at, 'required', `expected the member ${describeValue(member)}, found none`);
  else
    note(found, at, 'disputed', `the bundle demands the member ${describeValue(member)}, found none; ${why}`);
}

function examineMember(
  by: Examiner,
  schema: JsonSchema,
  member: string,
  value: unknown,
  at: Place,
  found: Findings,
): void {
  const { properties = {}, additionalProperties } = schema;
  const known = Object.hasOwn(properties, member) ? properties[member] : undefined;
  const why = value === null ? disputedReason(at.definition, member, 'null') : undefined;
  if (known !== undefined && why !== undefined) {
    note(found, at, 'disputed', `the bundle has no null here, found null; ${why}`);
  } else if (known !== undefined) {
    examine(by, known, value, at, found);
  } else if (isJsonObject(additionalProperties)) {
    examine(by, additionalProperties, value, at, found);
  } else if (additionalProperties === false) {
    violate(found, at, 'other', 'no such member is allowed');
  } else if (listsItsMembers(schema)) {
    note(found, at, 'unknownMember', `not a member that ${at.definition ?? 'the schema'} lists`);
  }
}

/**
 * An event of a page is a notification without its frame, so its params are held to the notification's definition as well
 * as to the common one, whose list of members is not meant to be complete.
 */
function examineEventParams(
  by: Examiner,
  schema: JsonSchema,
  event: JsonObject,
  at: Place,
  found: Findings,
): void {
  const params = placeWithin(at, 'params');
  const method = event['method'];
  const own = typeof method === 'string' ? by.eventParams(method) : null;
  if (own === undefined) {
    const remark = `${describeValue(method)} is no notification of the bundle`;
    note(found, placeWithin(at, 'method'), 'unknownMethod', remark);
  }
  if (isJsonObject(own)) examine(by, own, event['params'], params, found);
  const common: Findings = { violations: [], notes: [] };
  examine(by, schema.properties?.['params'] ?? {}, event['params'], params, common);
  const isNew = common.violations.filter(
    (issue) => !found.violations.some((known) => known.path === issue.path && known.rule === issue.rule),
  );
  found.violations.push(...isNew);
}
