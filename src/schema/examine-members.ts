import { describeValue } from './describe-value.js';
import { disputedReason } from './disputed.js';
import { isEvent } from './events.js';
import { type Examiner, examine } from './examine.js';
import { type Findings, memberName, memberPlace, note, type Place, violate } from './findings.js';
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
    const place = memberPlace(at, member);
    if (member === 'params' && isEvent(at.definition)) examineEventParams(by, schema, value, at, found);
    else examineMember(by, schema, member, memberValue, { ...place, holder: at.definition }, found);
  }
}

function examineAbsence(member: string, at: Place, found: Findings): void {
  const place = { ...at, name: memberName(at, member) };
  const why = disputedReason(at.definition, member, 'absent');
  if (why === undefined) violate(found, place, 'required', 'required, but absent');
  else note(found, place, 'disputed', `required by the bundle, but absent; ${why}`);
}

function examineMember(
  by: Examiner,
  schema: JsonSchema,
  member: string,
  value: unknown,
  at: Place & { readonly holder: string | undefined },
  found: Findings,
): void {
  const { properties = {}, additionalProperties } = schema;
  const known = Object.hasOwn(properties, member) ? properties[member] : undefined;
  const why = value === null ? disputedReason(at.holder, member, 'null') : undefined;
  if (known !== undefined && why !== undefined) {
    note(found, at, 'disputed', `the bundle has no null here, found null; ${why}`);
  } else if (known !== undefined) {
    examine(by, known, value, at, found);
  } else if (isJsonObject(additionalProperties)) {
    examine(by, additionalProperties, value, at, found);
  } else if (additionalProperties === false) {
    violate(found, at, 'other', 'no such member is allowed');
  } else if (listsItsMembers(schema)) {
    note(found, at, 'unknownMember', `not a member that ${at.holder ?? 'the schema'} lists`);
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
  const params = memberPlace(at, 'params');
  const method = event['method'];
  const own = typeof method === 'string' ? by.eventParams(method) : null;
  if (own === undefined) {
    const remark = `${describeValue(method)} is no notification of the bundle`;
    note(found, memberPlace(at, 'method'), 'unknownMethod', remark);
  }
  if (isJsonObject(own)) examine(by, own, event['params'], params, found);
  const common: Findings = { violations: [], notes: [] };
  examine(by, schema.properties?.['params'] ?? {}, event['params'], params, common);
  const isNew = common.violations.filter(
    (issue) => !found.violations.some((known) => known.path === issue.path && known.rule === issue.rule),
  );
  found.violations.push(...isNew);
}
