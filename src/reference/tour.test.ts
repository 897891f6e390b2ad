import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import type { InMemoryClient } from './in-memory-client.js';
import type { JsonObject } from './json.js';
import { withHost } from './test-host.js';

async function startSession(client: InMemoryClient, params: JsonObject = {}): Promise<string> {
  const { session } = await client.result('session/start', { commandId: v7(), ...params });
  return (session as { sessionId: string }).sessionId;
}
const text = (value: string) => [{ type: 'text', text: value }];

describe('tour', () => {
  it('drives every method', async () => {
    await withHost({}, async ({ client }) => {
      await client.initialize({
        requestedCapabilities: ['userShell', 'sessionListStream', 'feedback'],
        experimentalApi: true,
      });
      const sessionId = await startSession(client, { workspaceRoot: '/tmp' });
      const run = async (input: string, extra: JsonObject = {}) => {
        const commandId = v7();
        await client.result('turn/start', { sessionId, commandId, input: text(input), ...extra });
        return commandId;
      };
      const done = (turnId: string) => client.event('turn/completed', { turnId });
      for (const cue of [
        '#echo hi',
        '#fail',
        '#retry',
        '#todo',
        '#output',
        '#background',
        '#subagent',
        '#workflow',
        '#usage',
        'plain',
      ]) {
        await done(await run(cue));
      }
      await done(await run('#workflow', { tokenBudget: 77 }));
      const call = (method: string, params: JsonObject = {}) =>
        client.result(method, { sessionId, commandId: v7(), ...params });
      // approvals
      let turnId = await run('#approval');
      let request = (await client.next((f) => f['method'] === 'approval/request'))['params'] as JsonObject;
      await client.result('approval/listPending', { sessionId });
      await call('approval/decide', {
        approvalId: request['approvalId'],
        requirementId: request['currentRequirementId'],
        choiceId: 'allow_session',
      });
      await done(turnId);
      await done(await run('#approval'));
      turnId = await run('#approval-two-stages');
      request = (
        await client.next(
          (f) => f['method'] === 'approval/request' && (f['params'] as JsonObject)['turnId'] === turnId,
        )
      )['params'] as JsonObject;
      let ack = await call('approval/decide', {
        approvalId: request['approvalId'],
        requirementId: request['currentRequirementId'],
        choiceId: 'allow_once',
      });
      expect(ack['terminal']).toBe(false);
      ack = await call('approval/decide', {
        approvalId: request['approvalId'],
        requirementId: { approvalId: request['approvalId'], sourceIndex: 1 },
        choiceId: 'deny',
        feedback: 'no',
      });
      expect(ack['terminal']).toBe(true);
      await done(turnId);
      // questions
      for (const [method, params] of [
        ['userInput/answer', { answers: [{ questionId: 'database', selectedLabel: 'SQLite' }] }],
        ['userInput/cancel', { reason: 'no' }],
        ['userInput/clarify', { clarification: { format: 'text', content: 'both' } }],
        ['userInput/interrupt', { answers: [] }],
      ] as const) {
        const turnId = await run('#question');
        const prompt = await client.event('userInput/requested', { turnId });
        await call(method, { userInputId: prompt['userInputId'], ...params });
        await done(turnId);
      }
      await done(await run('#timed-question'));
      // slow: steer, queue, unqueue, replace, cancel
      const slow = await run('#slow');
      await call('turn/steer', { expectedTurnId: slow, input: text('left') });
      await run('and', { ifBusy: 'steer' });
      const queued = await run('later');
      const reclaimed = await run('never');
      await call('turn/unqueue', { turnId: reclaimed });
      await call('turn/cancel', { turnId: slow });
      await done(slow);
      await done(queued);
      const slow2 = await run('#slow');
      await done(await run('instead', { ifBusy: 'replace' }));
      await done(slow2);
      const slow3 = await run('#slow');
      const bad = await run('#unlaunchable');
      await call('turn/interrupt', { turnId: slow3, retract: true });
      await client.event('turn/retracted', {});
      await done(bad);
      // goals
      await call('goal/set', { objective: '#slow goal' });
      await call('goal/edit', { objective: '#slow goal two' });
      await call('turn/interrupt');
      await call('goal/resume');
      await call('goal/pause');
      await call('goal/clear');
      await call('turn/cancel');
      // settings
      await client.result('model/list', { sessionId });
      await client.result('model/list');
      await call('session/setModel', { model: { modelId: 'reference-small' } });
      await call('session/setApprovalMode', { mode: 'denyUnmatched' });
      await call('session/setApprovalMode', { mode: 'denyUnmatched' });
      await done(await run('#approval-two-stages'));
      await call('session/setReasoningEffort', { reasoningEffort: 'high' });
      await call('session/rename', { name: '  a   name ' });
      await call('session/compact');
      await call('session/compact');
      // task
      const task = await run('#task');
      const item = (
        await client.next(
          (f) =>
            f['method'] === 'item/started' &&
            ((f['params'] as JsonObject)['item'] as JsonObject)['tool'] === 'build',
        )
      )['params'] as JsonObject;
      const taskId = (item['item'] as JsonObject)['itemId'];
      await call('task/background', { taskId });
      await done(task);
      await call('task/stop', { taskId });
      await call('task/stopAll');
      // children
      const items = (
        (await client.result('session/read', { sessionId, excludeItems: false }))['history'] as JsonObject
      )['items'] as JsonObject[];
      const subagentId = items.find((i) => i['kind'] === 'subagent')?.['subagentId'];
      await call('subagent/sendMessage', { subagentId, body: 'note' });
      await call('subagent/followupTask', { subagentId, body: 'task' });
      await call('subagent/interrupt', { subagentId, reason: 'wait' });
      await call('subagent/resume', { subagentId });
      await call('subagent/sendMessage', { subagentId, body: 'finish it' });
      await call('subagent/readResult', { subagentId });
      await call('subagent/reopen', { subagentId });
      await call('subagent/stop', { subagentId });
      await call('subagent/reopen', { subagentId });
      await call('subagent/close', { subagentId });
      const runs = items.filter((i) => i['kind'] === 'workflow').map((i) => i['workflowRunId']);
      await call('workflow/pause', { workflowRunId: runs[0] });
      await call('workflow/childControl', {
        workflowRunId: runs[0],
        childId: 'first',
        attempt: 1,
        action: 'retry',
      });
      await call('workflow/childControl', {
        workflowRunId: runs[0],
        childId: 'first',
        attempt: 2,
        action: 'skip',
      });
      await call('workflow/childControl', {
        workflowRunId: runs[0],
        childId: 'second',
        attempt: 1,
        action: 'skip',
      });
      await call('workflow/cancel', { workflowRunId: runs[1] });
      // rest
      await client.result('skill/list', { sessionId });
      await call('skill/setActivation', { selector: 'greet', scope: 'bundled', activation: 'off' });
      await client.result('hook/list', { sessionId });
      await client.result('plugin/list', { sessionId });
      const uploadId = v7();
      await call('media/upload', {
        uploadId,
        mediaType: 'video/mp4',
        totalBytes: 3,
        chunkCount: 1,
        chunkIndex: 0,
        chunkBase64: 'AAAA',
      });
      const video = v7();
      await client.result('turn/start', {
        sessionId,
        commandId: video,
        input: [{ type: 'video', uploadId }],
      });
      const output = items.find((i) => i['outputRef'])!;
      await client.result('item/readOutput', {
        sessionId,
        itemId: output['itemId'],
        outputRef: (output['outputRef'] as JsonObject)['id'],
        lengthBytes: 100,
      });
      await client.result('usage/read');
      await client.result('feedback/submit', {
        classification: 'bug',
        note: 'x',
        withFiles: true,
        sessionId,
        attachSessionRecord: true,
      });
      await client.result('computerUseSettings/read', { showBuiltIns: true });
      await client.result('computerUseSettings/update', { screenshots: 'alwaysAllow', blockApps: ['a.b'] });
      await call('session/userShell', { commandText: 'echo hi' });
      await done(await run('', { input: [], userShell: { commandText: 'exit 3' } }));
      await client.result('session/fork', { sessionId, commandId: v7() });
      await client.result('session/sideChat', { sessionId, commandId: v7() });
      await client.result('session/list', { filter: { text: { fields: ['name'], anyOf: ['NAM'] } } });
      await client.result('view/page', { sessionId, limit: 1000 });
      await client.result('view/page', { sessionId, limit: 5, anchor: 'latestCompaction' });
      await client.result('view/unsubscribe', { sessionId });
      await client.result('view/subscribe', { sessionId, after: `v:${sessionId}:0` });
      for (const history of ['auto', 'inline', 'snapshot', 'anchored']) {
        await client.result('session/resume', {
          sessionId,
          commandId: v7(),
          history,
        });
      }
    });
  });
});
