import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { BundleError } from './bundle-error.js';
import { bundledSchemaPath, loadBundle, parseBundle } from './load-bundle.js';
import type { SchemaOutcome } from './outcome.js';
import { validatorFor } from './validate.js';

const bundle = await loadBundle(bundledSchemaPath());
const validator = validatorFor(bundle);

const ack = { commandId: 'c', status: 'accepted', turnId: 't', disposition: 'started', startedNewTurn: true };
const turnStart = { sessionId: 's', commandId: 'c', input: [{ type: 'text', text: 'hi' }] };
const position = { id: 'r', sequence: 1 };
const event = {
  sessionId: 's',
  viewCursor: 'v1',
  sourceRange: { stream: { kind: 'run', id: 'x' }, first: position, last: position },
};
const item = { itemId: 'i', kind: 'agentMessage', revision: 2, status: 'completed', turnId: 't' };
const session = {
  ...{ sessionId: 's', status: 'idle', turnCount: 0, path: '', createdAt: 'x', updatedAt: 'x' },
  ...{ workspaceRoot: null, providerId: null, modelId: null, forkedFrom: null, activeTurnId: null },
};

function issuesOf(outcome: SchemaOutcome) {
  return {
    violations: outcome.violations.map(({ path, rule }) => `${rule} ${path}`),
    notes: outcome.notes.map(({ path, rule }) => `${rule} ${path}`),
  };
}

describe('a clean frame', () => {
  it.each([
    ['params', validator.validateParams('turn/start', turnStart)],
    ['a result', validator.validateResult('turn/start', ack)],
    ['a notification', validator.validateNotification('item/completed', { ...event, item })],
    ['a notification without params', validator.validateNotification('initialized', undefined)],
    ['a receipt', validator.validateReceipt('approval/request', {})],
    [
      'an error',
      validator.validateErrorObject({ code: -32602, message: 'm', data: { kind: 'invalidParams' } }),
    ],
    ['absent params where there are none', validator.validateParams('usage/read', undefined)],
    ['empty params where there are none', validator.validateParams('usage/read', {})],
    ['absent params where all are optional', validator.validateParams('model/list', undefined)],
    [
      'a free-form member',
      validator.validateErrorObject({
        code: 1,
        message: '',
        data: { kind: 'internal', details: { a: [1] } },
      }),
    ],
  ])('%s: %o', (_, outcome) => {
    expect(issuesOf(outcome)).toEqual({ violations: [], notes: [] });
  });
});

describe('violations', () => {
  it.each([
    [
      'a missing member',
      validator.validateResult('turn/start', { ...ack, turnId: undefined }),
      'type /turnId',
    ],
    ['an absent member', validator.validateParams('turn/start', { sessionId: 's', input: [] }), 'required '],
    ['absent params', validator.validateParams('goal/clear', undefined), 'required '],
    ['a wrong type', validator.validateResult('turn/start', { ...ack, turnId: 5 }), 'type /turnId'],
    [
      'null where null is not listed',
      validator.validateParams('turn/start', { ...turnStart, displayText: null }),
      'type /displayText',
    ],
    ['null params', validator.validateParams('usage/read', null), 'type '],
    ['array params', validator.validateParams('turn/start', []), 'type '],
    ['a result that is absent', validator.validateResult('turn/start', undefined), 'type '],
    [
      'a closed enum',
      validator.validateParams('turn/start', { ...turnStart, ifBusy: 'wait' }),
      'enum /ifBusy',
    ],
    [
      'a part of the input',
      validator.validateParams('turn/start', { ...turnStart, input: [{ type: 'mention' }] }),
      'enum /input/0/type',
    ],
    [
      'a pattern',
      validator.validateParams('initialize', { clientInfo: { name: 'My-App', version: '1' } }),
      'pattern /clientInfo/name',
    ],
    ['a range', validator.validateParams('view/page', { sessionId: 's', limit: 0 }), 'range /limit'],
    ['a fraction', validator.validateParams('view/page', { sessionId: 's', limit: 1.5 }), 'type /limit'],
    [
      'members that come in pairs',
      validator.validateParams('turn/start', { ...turnStart, input: [{ type: 'image', width: 3 }] }),
      'other /input/0',
    ],
    [
      'a member of a nullable object',
      validator.validateResult('session/start', { viewCursor: 'v', session: { ...session, forkedFrom: {} } }),
      'required /session/forkedFrom',
    ],
    ['an error that is no object', validator.validateErrorObject('bad'), 'type '],
    ['an error without a message', validator.validateErrorObject({ code: 1 }), 'required '],
    [
      'an approval mode',
      validator.validateParams('session/start', { commandId: 'c', approvalMode: 'yolo' }),
      'enum /approvalMode',
    ],
  ])('%s', (_, outcome, expected) => {
    expect(issuesOf(outcome).violations).toContain(expected);
  });

  it.each([
    [
      { ...turnStart, ifBusy: 'wait' },
      'TurnStartParams.ifBusy: expected one of "queue", "steer", "replace", found "wait"',
    ],
    [{ ...turnStart, displayText: 7 }, 'TurnStartParams.displayText: expected a string, found 7'],
    [{ ...turnStart, input: [{}] }, 'TurnStartParams.input[0]: expected the member "type", found none'],
    [{ ...turnStart, input: ['x'] }, 'TurnStartParams.input[0]: expected an object, found "x"'],
    [
      { ...turnStart, sessionId: 'x'.repeat(10_000).split('') },
      'TurnStartParams.sessionId: expected a string, found an array of 10000',
    ],
  ])('say what was expected and what was found: %#', (params, message) => {
    expect(validator.validateParams('turn/start', params).violations).toMatchObject([{ message }]);
  });

  it.each([
    [{ commandId: 'c', approvalMode: 5 }, /approvalMode: expected one of "allowAll", .* or null, found 5/],
    [
      { commandId: 'c', config: { mcpServers: { m: { transport: 'carrierPigeon', url: 'u' } } } },
      /SessionMcpServerConfig\.transport: expected "(stdio|streamableHttp)", found "carrierPigeon"/,
    ],
    [
      { commandId: 'c', config: { mcpServers: { m: { transport: 'stdio' } } } },
      /SessionConfig\.mcpServers\.m: expected the member "command", found none/,
    ],
  ])('explain a union by the alternative that is meant: %#', (params, message) => {
    const { violations } = validator.validateParams('session/start', params);
    expect(violations.map((issue) => issue.message).join('\n')).toMatch(message);
  });

  it('never quote a value at length', () => {
    const { violations } = validator.validateResult('turn/start', {
      ...ack,
      startedNewTurn: 'y'.repeat(1e6),
    });
    expect(violations[0]?.message.length).toBeLessThan(200);
  });
});

describe('notes', () => {
  it.each([
    [
      'an unknown member',
      validator.validateResult('turn/start', { ...ack, novelty: 1 }),
      'unknownMember /novelty',
    ],
    [
      'a member named like a built-in',
      validator.validateResult('turn/start', JSON.parse(JSON.stringify(ack).replace('{', '{"__proto__":1,'))),
      'unknownMember /__proto__',
    ],
    [
      'a name that a pointer escapes',
      validator.validateResult('turn/start', { ...ack, 'a/b': 1 }),
      'unknownMember /a~1b',
    ],
    [
      'an unknown value of an open enum',
      validator.validateResult('turn/start', { ...ack, disposition: 'postponed' }),
      'openEnum /disposition',
    ],
    ['an unknown method', validator.validateParams('no/such', { x: 1 }), 'unknownMethod '],
    ['an unknown notification', validator.validateNotification('no/such', { x: 1 }), 'unknownMethod '],
    [
      'an experimental member',
      validator.validateParams('turn/start', { ...turnStart, tokenBudget: 5 }),
      'experimental /tokenBudget',
    ],
    [
      'a null that only the prose has',
      validator.validateNotification('session/goalChanged', { ...event, goal: null }),
      'disputed /goal',
    ],
    [
      'a name that was never given',
      validator.validateNotification('session/branchChanged', {
        ...event,
        workspaceRoot: '/w',
        branch: null,
      }),
      'disputed /branch',
    ],
  ])('%s', (_, outcome, expected) => {
    expect(issuesOf(outcome)).toEqual({ violations: [], notes: [expected] });
  });

  it('a snapshot of the items alone is disputed, not a violation', () => {
    const snapshot = { schemaVersion: 1, viewCursor: 'v', state: { items: [item] } };
    const history = { mode: 'snapshot', items: null, snapshot };
    const outcome = validator.validateResult('session/resume', {
      session,
      viewCursor: 'v',
      history,
      pendingRequests: [],
    });
    expect(outcome.violations).toEqual([]);
    expect(new Set(outcome.notes.map((issue) => issue.rule))).toEqual(new Set(['disputed']));
  });

  it('an unknown family of tool receipts is conformant', () => {
    const toolReceipt = { family: 'archive', operation: 'pack', outcome: 'packed' };
    const outcome = validator.validateNotification('item/completed', {
      ...event,
      item: { ...item, toolReceipt },
    });
    expect(outcome).toEqual({ violations: [], notes: [] });
  });
});

describe('an event of a page', () => {
  const pageOf = (...events: unknown[]) =>
    validator.validateResult('view/page', { events, nextCursor: null });

  it('is held to the definition of its notification', () => {
    expect(issuesOf(pageOf({ method: 'item/completed', params: { ...event, item } }))).toEqual({
      violations: [],
      notes: [],
    });
    const { item: _, ...withoutItem } = { ...event, item };
    expect(issuesOf(pageOf({ method: 'item/completed', params: withoutItem })).violations).toEqual([
      'required /events/0/params',
    ]);
    expect(
      issuesOf(pageOf({ method: 'item/completed', params: { ...event, item: { ...item, revision: '2' } } }))
        .violations,
    ).toEqual(['type /events/0/params/item/revision']);
  });

  it('needs a source range even where the pushed notification may go without', () => {
    const { sourceRange: _, ...withoutRange } = { ...event, item };
    expect(validator.validateNotification('item/started', withoutRange).violations).toEqual([]);
    expect(issuesOf(pageOf({ method: 'item/started', params: withoutRange })).violations).toEqual([
      'required /events/0/params',
    ]);
  });

  it('of an unknown method is a note, and still needs its cursor', () => {
    expect(issuesOf(pageOf({ method: 'no/such', params: { ...event, novelty: 1 } }))).toEqual({
      violations: [],
      notes: ['unknownMethod /events/0/method'],
    });
    const { viewCursor: _, ...withoutCursor } = event;
    expect(issuesOf(pageOf({ method: 'no/such', params: withoutCursor })).violations).toEqual([
      'required /events/0/params',
    ]);
  });
});

it('one bundle has one validator', () => {
  expect(validatorFor(bundle)).toBe(validator);
});

it('a keyword that only fails to compile is laid at the bundle', async () => {
  const fixture = JSON.parse(
    readFileSync(new URL('fixtures/experimental.schema.json', import.meta.url), 'utf8'),
  );
  fixture.$defs.StartParams.dependentRequired = 5;
  const broken = validatorFor(parseBundle(JSON.stringify(fixture), 'some.json'));
  expect(() => broken.validateParams('session/start', { commandId: 'c' })).toThrow(BundleError);
});
