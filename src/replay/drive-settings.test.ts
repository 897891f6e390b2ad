import { describe, expect, it } from 'vitest';
import { driven, type Reactions } from './testing/drive.js';
import { type Line, request, result, uuid, viewed } from './testing/scenario.js';
import type { ScriptedConnection, SentFrame } from './testing/scripted-connection.js';
import { commandOf, OPENED, opens } from './testing/turns.js';

describe('settings', () => {
  const set = (id: number, mode: string, cursor: string): Line[] => [
    request(id, 'session/setApprovalMode', { sessionId: 's1', commandId: uuid(id), mode }),
    result(id, {
      commandId: uuid(id),
      status: 'accepted',
      applyOutcome: 'completed',
      effectiveMode: { mode, source: 'approvalReconfigure', lastCommandId: uuid(id) },
    }),
    viewed('session/approvalModeChanged', 's1', cursor, { commandId: uuid(id), mode }),
  ];
  const recorded = [...OPENED, ...set(3, 'allowAll', 'v1'), ...set(4, 'onRequest', 'v2')];
  const settable = (tellsOf: (mode: string) => readonly string[]): Reactions => ({
    ...opens,
    'session/setApprovalMode': (frame, server) => {
      const mode = String(frame.params?.['mode']);
      const told = tellsOf(mode);
      const lastCommandId = told.length > 0 ? commandOf(frame) : null;
      server.answer(frame, {
        commandId: commandOf(frame),
        status: 'accepted',
        applyOutcome: told.length > 0 ? 'completed' : 'noop',
        effectiveMode: { mode, source: 'startup', lastCommandId },
      });
      for (const [index, value] of told.entries())
        server.tell('session/approvalModeChanged', {
          sessionId: 'S1',
          viewCursor: `${mode} ${index}`,
          commandId: commandOf(frame),
          mode: value,
        });
    },
  });

  it.each<[what: string, reactions: Reactions, trouble: readonly string[]]>([
    ['are told when they change', settable((mode) => [mode]), []],
    [
      'need not be told when the default is the wanted value',
      settable((mode) => (mode === 'allowAll' ? [] : [mode])),
      [],
    ],
    [
      'must be told when they change',
      settable((mode) => (mode === 'allowAll' ? [mode] : [])),
      ['failed replay/event-matches 11'],
    ],
    [
      'must be told as they are',
      settable((mode) => (mode === 'allowAll' ? [mode] : ['denyUnmatched'])),
      ['failed replay/event-matches 11'],
    ],
  ])('%s', async (_what, reactions, trouble) => {
    expect((await driven(recorded, reactions, { timeoutMs: 5 })).trouble).toEqual(trouble);
  });

  it('that a host does not offer make the scenario inapplicable', async () => {
    const refusing: Reactions = {
      ...opens,
      'session/setApprovalMode': (frame, server) =>
        server.refuse(frame, -32030, 'commandRejected', { reason: 'above_ceiling' }),
    };
    expect((await driven(recorded, refusing)).outcome).toMatchObject({
      status: 'notApplicable',
      reason: expect.stringContaining('above_ceiling'),
    });
    const confused: Reactions = {
      ...opens,
      'session/setApprovalMode': (frame, server) =>
        server.refuse(frame, -32030, 'commandRejected', { reason: 'command_id_conflict' }),
    };
    expect((await driven(recorded, confused)).outcome.status).toBe('failed');
  });

  it('may be told more often than the recorded server did', async () => {
    const goal = (objective: string) => ({ objective, status: 'active', percentComplete: 0 });
    const pursued = [
      ...OPENED,
      request(3, 'goal/set', { sessionId: 's1', commandId: uuid(3), objective: 'first' }),
      result(3, { commandId: uuid(3), status: 'accepted' }),
      viewed('session/goalChanged', 's1', 'v1', { goal: goal('first') }),
      request(4, 'goal/edit', { sessionId: 's1', commandId: uuid(4), objective: 'second' }),
      result(4, { commandId: uuid(4), status: 'accepted' }),
      viewed('session/goalChanged', 's1', 'v2', { goal: goal('second') }),
    ];
    const progress = (times: number) => (frame: SentFrame, server: ScriptedConnection) => {
      server.answer(frame, { commandId: commandOf(frame), status: 'accepted' });
      for (let count = 0; count < times; count++)
        server.tell('session/goalChanged', {
          sessionId: 'S1',
          viewCursor: `${frame.method} ${count}`,
          goal: goal(String(frame.params?.['objective'])),
        });
    };
    expect(
      (await driven(pursued, { ...opens, 'goal/set': progress(3), 'goal/edit': progress(2) })).trouble,
    ).toEqual([]);
    const { outcome, findings } = await driven(
      pursued,
      { ...opens, 'goal/set': progress(3), 'goal/edit': progress(0) },
      { timeoutMs: 5 },
    );
    expect(outcome).toMatchObject({ status: 'failed', timedOut: true });
    expect(findings.find(({ status }) => status === 'failed')?.differences).toMatchObject([
      { path: '/params/goal/objective', expected: 'second', actual: 'first' },
    ]);
  });
});
