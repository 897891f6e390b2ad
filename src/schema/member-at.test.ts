import { describe, expect, it } from 'vitest';
import type { SchemaRoot } from './bundle.js';
import { bundledSchemaPath, loadBundle } from './load-bundle.js';
import { describePath } from './member-at.js';

const bundle = await loadBundle(bundledSchemaPath());

function memberAt(root: SchemaRoot | undefined, path: string, instance?: unknown): string | undefined {
  if (root === undefined) throw new Error('no such root');
  const segments = path.split('/').map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment));
  const place = describePath(bundle, root, segments, instance);
  return place && `${place.definition}.${place.member}${place.required ? '' : '?'}`;
}

describe('which member of which definition a path is', () => {
  it.each([
    ['a direct member', 'session/start', 'viewCursor', 'SessionStartResult.viewCursor'],
    ['through a reference', 'session/start', 'session/createdAt', 'Session.createdAt'],
    ['through a nullable union', 'session/start', 'session/forkedFrom/cutCursor', 'ForkProvenance.cutCursor'],
    ['through a nullable array', 'session/resume', 'history/items/0/revision', 'Item.revision'],
    ['an element is its array', 'session/resume', 'history/items/0/summary/3', 'Item.summary?'],
    ['an array of references', 'model/list', 'models/2/cost/input', 'ModelCost.input'],
    ['the schema of the handshake', 'initialize', 'schema/fingerprint', 'SchemaInfo.fingerprint'],
    ['an unknown member', 'session/start', 'session/novelty', undefined],
    ['below an unknown member', 'session/start', 'novelty/0/x', undefined],
    ['a member of a scalar', 'session/start', 'viewCursor/length', undefined],
    ['a name on Object.prototype', 'session/start', 'constructor', undefined],
  ])('%s', (_, method, path, expected) => {
    expect(memberAt(bundle.resultRoot(method), path)).toBe(expected);
  });

  it('covers params, notifications, server requests, receipts and errors', () => {
    expect(memberAt(bundle.paramsRoot('turn/start'), 'input/0/type')).toBe('TurnInputPart.type');
    expect(memberAt(bundle.notificationRoot('item/started'), 'sourceRange/first/id')).toBe(
      'RecordPosition.id',
    );
    expect(memberAt(bundle.requestRoot('approval/request'), 'subject/stages/0/argv/1')).toBe(
      'ApprovalStage.argv',
    );
    expect(memberAt(bundle.errorRoot(), 'data/resolution/viewCursor')).toBe(
      'ApprovalResolutionSummary.viewCursor',
    );
    expect(bundle.receiptRoot('approval/request')?.definition).toBe('RequestReceipt');
    expect(bundle.paramsRoot('usage/read')).toBeUndefined();
  });

  it('gives the schema of the place itself', () => {
    const root = bundle.resultRoot('session/start') ?? bundle.errorRoot();
    expect(describePath(bundle, root, ['session', 'status'])?.schema.enum).toContain('idle');
  });

  it('walks the values of a map', () => {
    const root = bundle.paramsRoot('session/start');
    expect(memberAt(root, 'config/mcpServers/mine')).toBe('SessionConfig.mcpServers?');
    expect(memberAt(root, 'config/mcpServers/mine/url')).toBe('SessionMcpServerConfig.url');
    expect(memberAt(root, 'config/mcpServers/mine/env/PATH')).toBe('SessionMcpServerConfig.env?');
  });

  it('chooses the variant that the instance means', () => {
    const root = bundle.notificationRoot('item/completed');
    const place = 'item/toolReceipt/details/language';
    const receiptOf = (family: string) => ({ item: { toolReceipt: { family, details: {} } } });
    expect(memberAt(root, place, receiptOf('codeMode'))).toBe('CodeModeReceipt.language?');
    expect(memberAt(root, place, receiptOf('cron'))).toBeUndefined();
  });
});

describe('an event of a page', () => {
  const page = {
    events: [{ method: 'item/completed', params: { item: { revision: 2 } } }],
    nextCursor: null,
  };
  const root = bundle.resultRoot('view/page');

  it("continues with its notification's own definition when the instance is at hand", () => {
    expect(memberAt(root, 'events/0/params/item', page)).toBe('ItemCompletedParams.item');
    expect(memberAt(root, 'events/0/params/item/revision', page)).toBe('Item.revision');
    expect(memberAt(root, 'events/0/method', page)).toBe('UnframedViewNotification.method');
  });

  it('has the common members without it', () => {
    expect(memberAt(root, 'events/0/params/viewCursor')).toBe('UnframedViewNotificationParams.viewCursor');
    expect(memberAt(root, 'events/0/params/item')).toBeUndefined();
  });
});
