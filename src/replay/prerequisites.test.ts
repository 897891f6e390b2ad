import { describe, expect, it } from 'vitest';
import { driven } from './testing/drive.js';
import { HANDSHAKE, type Line, request, result, turnAck, viewed } from './testing/scenario.js';
import { OPENED, opens, STOP, TURN } from './testing/turns.js';

describe('prerequisites', () => {
  const slow = [
    ...OPENED,
    request(3, 'turn/start', { sessionId: 's1', commandId: TURN, input: [] }),
    result(3, turnAck(TURN)),
    viewed('turn/started', 's1', 'v1', { turnId: TURN }),
    request(4, 'turn/cancel', { sessionId: 's1', turnId: TURN, commandId: STOP }),
  ];

  it.each<[what: string, lines: readonly Line[], scene: Parameters<typeof driven>[2], reason: string]>([
    ['a behaviour', slow, {}, '--behaviour slow='],
    [
      'a capability',
      HANDSHAKE,
      { manifest: { conformance: { requires: { capabilities: ['userShell'] } } } },
      'userShell',
    ],
    [
      'another durability',
      HANDSHAKE,
      { manifest: { conformance: { requires: { durability: 'ephemeral' } } } },
      'ephemeral',
    ],
    [
      'a turn that fails to launch',
      [
        ...OPENED,
        request(3, 'turn/start', { sessionId: 's1', commandId: TURN, input: [] }),
        result(3, turnAck(TURN, { disposition: 'queued' })),
        viewed('turn/completed', 's1', 'v1', { turnId: TURN, terminal: 'failed' }),
      ],
      {},
      'failed before it started',
    ],
  ])('that are missing: %s', async (_what, lines, scene, reason) => {
    expect((await driven(lines, opens, scene)).outcome).toMatchObject({
      status: 'notApplicable',
      reason: expect.stringContaining(reason),
    });
  });

  it.each([
    ['restart', { address: { kind: 'tcp', host: 'h', port: 1 } }, '--restart-command'],
    ['crash', { address: { kind: 'tcp', host: 'h', port: 1 }, restartCommand: ['r'] }, '--kill-command'],
    ['reconnect', { command: ['server'], address: { kind: 'stdio' } }, 'one connection'],
  ] as const)('a target that cannot %s', async (op, spec, reason) => {
    const target = { command: undefined, ...spec } as never;
    expect((await driven([...HANDSHAKE, ['control', op]], {}, { spec: target })).outcome).toMatchObject({
      status: 'notApplicable',
      reason: expect.stringContaining(reason),
    });
  });
});
