import { describe, expect, it } from 'vitest';
import type { Frame } from './client.js';
import { hasBundle, makeJudge } from './validity.js';

const judge = hasBundle ? makeJudge() : undefined;

describe.skipIf(judge === undefined)('the judge of the frames', () => {
  it.each<[string, string | undefined, Frame]>([
    ['a result that lacks a member', 'goal/set', { result: { status: 'accepted' } }],
    ['a closed enum with another value', 'initialize', { result: { platformFamily: 'abacus' } }],
    ['an answer to nothing', undefined, { result: {} }],
    [
      'a code with a kind of another',
      'goal/set',
      { error: { code: -32030, message: '', data: { kind: 'notFound' } } },
    ],
    [
      'an event without a cursor',
      undefined,
      { id: undefined, method: 'turn/unqueued', params: { turnId: 't' } },
    ],
    ['a request nobody knows', undefined, { id: 4, method: 'approval/beg', params: {} }],
  ])('objects to %s', (_, answers, frame) => {
    expect(judge?.({ frame: { jsonrpc: '2.0', id: 4, ...frame }, answers })).not.toEqual([]);
  });

  it('lets an unknown notification and an open enum pass', () => {
    const frame = { jsonrpc: '2.0', method: 'vendor/heartbeat' };
    const ack = { jsonrpc: '2.0', id: 1, result: { commandId: 'c', status: 'x_vendorSure' } };
    expect(judge?.({ frame, answers: undefined })).toEqual([]);
    expect(judge?.({ frame: ack, answers: 'goal/set' })).toEqual([]);
  });
});
