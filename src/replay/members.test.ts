import { describe, expect, it } from 'vitest';
import type { SchemaRoot } from '../schema/bundle.js';
import { type JsonSchema, referencedName } from '../schema/json-schema.js';
import {
  ABSENT_MEANS_NULL,
  memberRole,
  PROMISED_OPTIONAL_MEMBERS,
  ROLES_BY_DEFINITION,
  ROLES_BY_NAME,
} from './members.js';
import { bundle } from './testing/match-context.js';

describe('the table of members', () => {
  it('speaks only of members that the bundle has', () => {
    const stated = [...ROLES_BY_DEFINITION.keys(), ...PROMISED_OPTIONAL_MEMBERS, ...ABSENT_MEANS_NULL];
    const stale = stated.filter((row) => {
      const [definition = '', member = ''] = row.split('.');
      return bundle.definitions.get(definition)?.properties?.[member] === undefined;
    });
    expect(stale).toEqual([]);
  });

  it('uses only names that occur', () => {
    const names = new Set(
      [...bundle.definitions.values()].flatMap(({ properties }) => Object.keys(properties ?? {})),
    );
    expect([...ROLES_BY_NAME.keys()].filter((name) => !names.has(name))).toEqual([]);
  });

  it('calls optional what it promises: a required member needs no promise', () => {
    const required = [...PROMISED_OPTIONAL_MEMBERS].filter((row) => {
      const [definition = '', member = ''] = row.split('.');
      return bundle.definitions.get(definition)?.required?.includes(member);
    });
    expect(required).toEqual([]);
  });

  it('says nothing twice', () => {
    const idle = [...ROLES_BY_DEFINITION].filter(
      ([row, role]) => ROLES_BY_NAME.get(row.split('.')[1] ?? '') === role,
    );
    expect(idle).toEqual([]);
  });

  /** Required strings without a fixed vocabulary that must be the recorded ones, each with the reason. */
  const DELIBERATELY_EQUAL = {
    'repeats what the client sent': [
      'Goal.objective',
      'UserInputAnswer.questionId',
      'UserInputClarification.content',
      'UserInputClarification.format',
    ],
    'vocabulary of the protocol, typed as a string': [
      'UnframedViewNotification.method',
      'ApprovalResolutionSummary.decision',
      'UserInputSettlementSummary.outcome',
    ],
    'only in events that no server owes, which are never held against it': [
      'ItemDeltaParams.delta',
      'OutputRef.id',
      'OutputRef.kind',
      'OutputRef.uri',
      'SessionModelRouteUnservedParams.installedProviderId',
      'StatusAttempt.operation',
      'StatusAttempt.system',
      'StatusStep.label',
      'SubscriptionUsage.tier',
      'TurnRetryScheduledParams.reason',
    ],
  };

  it('leaves no other free string of the server to be compared for equality', () => {
    expect([...equalStrings()].sort()).toEqual(Object.values(DELIBERATELY_EQUAL).flat().sort());
  });
});

/** Required string members, reachable without passing a member that is the server's own, whose role is `equal`. */
function equalStrings(): Set<string> {
  const found = new Set<string>();
  const seen = new Set<JsonSchema>();
  const walk = (schema: JsonSchema, holder: string | undefined): void => {
    const { definition = holder, schema: here } = resolve(schema);
    if (seen.has(here)) return;
    seen.add(here);
    for (const [name, member] of Object.entries(here.properties ?? {})) {
      if (memberRole(definition, name) !== 'equal') continue;
      if (here.required?.includes(name) && isFreeString(member)) found.add(`${definition}.${name}`);
      walk(member, definition);
    }
    for (const inner of [
      ...(here.items === undefined ? [] : [here.items]),
      ...(here.anyOf ?? []),
      ...(here.oneOf ?? []),
    ])
      walk(inner, definition);
  };
  for (const { schema, definition } of serverRoots()) walk(schema, definition);
  return found;
}

function serverRoots(): SchemaRoot[] {
  return [
    ...[...bundle.methods.keys()].map((method) => bundle.resultRoot(method)),
    ...[...bundle.notifications.keys()].map((method) => bundle.notificationRoot(method)),
    ...[...bundle.requests.keys()].map((method) => bundle.requestRoot(method)),
    bundle.errorRoot(),
  ].filter((root) => root !== undefined);
}

function resolve(schema: JsonSchema): { definition?: string; schema: JsonSchema } {
  const name = referencedName(schema);
  return name === undefined ? { schema } : { definition: name, schema: bundle.definitions.get(name) ?? {} };
}

function isFreeString(schema: JsonSchema): boolean {
  const { schema: here } = resolve(schema);
  return here.enum === undefined && here.const === undefined && [here.type].flat().includes('string');
}
