import fc from 'fast-check';
import { beforeAll, describe, it } from 'vitest';
import type { Bundle } from '../../schema/bundle.js';
import { bundledSchemaPath, loadBundle } from '../../schema/load-bundle.js';
import { decodeFrame } from '../../wire/decode.js';
import { StreamChecker } from './stream-checker.js';
import { SESSION } from './testing/crafted-frames.js';

let bundle: Bundle;
beforeAll(async () => {
  bundle = await loadBundle(bundledSchemaPath());
});

/** Frames with the members that rules look at, holding anything. */
const member = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(SESSION, 'a', 'b', 1, 0, null, 'accepted', 'inProgress', 'failed'),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
);
const members = (names: readonly string[]) =>
  fc.dictionary(fc.constantFrom(...names), member, { maxKeys: names.length });
const item = members(['itemId', 'revision', 'status', 'text', 'turnId', 'summary']);
const params = fc
  .tuple(
    members([
      'sessionId',
      'viewCursor',
      'turnId',
      'commandId',
      'itemId',
      'delta',
      'field',
      'cursor',
      'limit',
      'after',
    ]),
    fc.option(item, { nil: undefined }),
    fc.boolean(),
  )
  .map(([base, inner, isDurable]) => ({ ...base, item: inner, ...(isDurable && { sourceRange: {} }) }));
const method = fc.constantFrom(
  'initialize',
  'initialized',
  'turn/start',
  'turn/started',
  'turn/completed',
  'item/started',
  'item/delta',
  'item/completed',
  'view/page',
  'view/gap',
  'session/resume',
  'view/subscribe',
  'goal/clear',
  '__proto__',
);
const id = fc.constantFrom<unknown>(1, '1', 2, 'x', null, 1.5, -1);
const result = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.record({ events: fc.array(fc.record({ method, params })), nextCursor: member }),
  fc.record({ session: members(['sessionId', 'status']), history: members(['mode', 'items', 'snapshot']) }),
);
const frame = fc.oneof(
  fc.record({ jsonrpc: fc.constant('2.0'), id, method, params }).map((value) => JSON.stringify(value)),
  fc.record({ jsonrpc: fc.constant('2.0'), method, params }).map((value) => JSON.stringify(value)),
  fc.record({ jsonrpc: fc.constant('2.0'), id, result }).map((value) => JSON.stringify(value)),
  fc.record({ jsonrpc: fc.constant('2.0'), id, error: fc.jsonValue() }).map((value) => JSON.stringify(value)),
  fc.string(),
);
const end = fc.constantFrom('restart', 'crash', 'reconnect', 'drained', 'settled', 'server-closed' as const);

describe('a stream of anything', () => {
  it('is judged without an exception, whatever a server or a recording holds', () => {
    const act = fc.oneof(
      {
        weight: 20,
        arbitrary: fc.record({ dir: fc.constantFrom('client' as const, 'server' as const), raw: frame }),
      },
      { weight: 1, arbitrary: fc.record({ end }) },
    );
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40 }), fc.boolean(), (acts, live) => {
        const checker = new StreamChecker({ bundle, live, frameLimitBytes: 10_000, tolerant: false });
        for (const each of acts) {
          if ('end' in each) checker.connectionClosed(each.end);
          else checker.observe({ dir: each.dir, frame: decodeFrame(each.raw), atMs: 0 });
        }
        checker.finish();
      }),
      { numRuns: 500 },
    );
  });
});
