import { v7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { bundledSchemaPath, loadBundle } from '../schema/load-bundle.js';
import type { InMemoryClient } from './in-memory-client.js';
import type { JsonObject } from './json.js';
import { BEHAVIOURS } from './provider/table.js';
import { withHost } from './test-host.js';

/** What only a real model, login or workspace would make a server say. */
const NEVER_SENT = [
  'initialized',
  'userInput/engaged',
  'session/branchChanged',
  'session/modelRouteUnserved',
  'session/viewHealthChanged',
  'turn/foregroundCompleted',
];

/** One session in which everything happens that can happen here. */
class Tour {
  constructor(
    readonly client: InMemoryClient,
    readonly sessionId: string,
  ) {}

  command(method: string, members: JsonObject = {}): Promise<JsonObject> {
    return this.client.result(method, { sessionId: this.sessionId, commandId: v7(), ...members });
  }

  query(method: string, members: JsonObject = {}): Promise<JsonObject> {
    return this.client.result(method, { sessionId: this.sessionId, ...members });
  }

  submit(text: string, members: JsonObject = {}): Promise<JsonObject> {
    return this.client.submit(this.sessionId, text, members);
  }

  run(text: string, members: JsonObject = {}): Promise<JsonObject> {
    return this.client.run(this.sessionId, text, members);
  }

  async items(kind: string): Promise<readonly JsonObject[]> {
    const { history } = await this.query('session/read', { excludeItems: false });
    return (history as { items: JsonObject[] }).items.filter((item) => item['kind'] === kind);
  }

  async approvals(): Promise<void> {
    const { turnId } = await this.submit('#approval-two-stages');
    const frame = await this.client.next(({ method }) => method === 'approval/request');
    const { approvalId } = frame['params'] as JsonObject;
    await this.query('approval/listPending');
    for (const [sourceIndex, choiceId] of ['allow_once', 'deny'].entries()) {
      await this.command('approval/decide', {
        approvalId,
        requirementId: { approvalId, sourceIndex },
        choiceId,
      });
    }
    await this.client.event('turn/completed', { turnId });
  }

  async questions(): Promise<void> {
    for (const [method, members] of [
      ['userInput/answer', { answers: [{ questionId: 'database', selectedLabel: 'SQLite' }] }],
      ['userInput/cancel', { reason: 'no' }],
      ['userInput/clarify', { clarification: { format: 'text', content: 'both' } }],
      ['userInput/interrupt', {}],
    ] as const) {
      const { turnId } = await this.submit('#question');
      const { userInputId } = await this.client.event('userInput/requested', { turnId });
      await this.command(method, { userInputId, ...members });
      await this.client.event('turn/completed', { turnId });
    }
  }

  async turns(): Promise<void> {
    const { turnId } = await this.submit('#question');
    await this.command('turn/steer', { expectedTurnId: turnId, input: [{ type: 'text', text: 'left' }] });
    const queued = await this.submit('queued');
    await this.command('turn/unqueue', { turnId: queued['turnId'] });
    await this.command('turn/interrupt', { turnId, retract: true });
    const second = await this.submit('#question');
    await this.command('turn/cancel', { turnId: second['turnId'] });
    await this.run('', { input: [], userShell: { commandText: 'false' } });
  }

  async goals(): Promise<void> {
    await this.command('goal/set', { objective: 'one' });
    await this.command('goal/edit', { objective: 'two' });
    for (const verb of ['pause', 'resume', 'clear']) await this.command(`goal/${verb}`);
  }

  async settings(): Promise<void> {
    await this.query('model/list');
    await this.command('session/setModel', { model: { modelId: 'reference-small' } });
    await this.command('session/setApprovalMode', { mode: 'onRequest' });
    await this.command('session/setReasoningEffort', { reasoningEffort: 'high' });
    await this.command('session/rename', { name: 'tour' });
    await this.command('session/compact');
    await this.command('skill/setActivation', { selector: 'greet', scope: 'bundled', activation: 'off' });
    await this.query('skill/list');
    await this.query('hook/list');
    await this.query('plugin/list');
    await this.client.result('computerUseSettings/update', {
      screenshots: 'alwaysAllow',
      blockApps: ['a.b'],
    });
    await this.client.result('computerUseSettings/read', { showBuiltIns: true });
  }

  async tasks(): Promise<void> {
    const { turnId } = await this.submit('#task');
    const taskId = (await this.items('toolCall')).at(-1)?.['itemId'];
    await this.command('task/background', { taskId });
    await this.client.event('turn/completed', { turnId });
    await this.command('task/stop', { taskId });
    await this.command('task/stopAll');
  }

  async subagents(): Promise<void> {
    const subagentId = (await this.items('subagent')).at(-1)?.['subagentId'];
    for (const [verb, members] of [
      ['sendMessage', { body: 'a note' }],
      ['followupTask', { body: 'a task' }],
      ['interrupt', { reason: 'wait' }],
      ['resume', {}],
      ['sendMessage', { body: 'finish' }],
      ['readResult', {}],
      ['reopen', {}],
      ['stop', {}],
      ['reopen', {}],
      ['close', {}],
    ] as const) {
      await this.command(`subagent/${verb}`, { subagentId, ...members });
    }
  }

  async workflows(): Promise<void> {
    await this.run('#workflow', { tokenBudget: 100 });
    const [first, second] = (await this.items('workflow')).map(({ workflowRunId }) => ({ workflowRunId }));
    await this.command('workflow/pause', first);
    for (const [childId, attempt, action] of [
      ['first', 1, 'retry'],
      ['first', 2, 'skip'],
      ['second', 1, 'skip'],
    ]) {
      await this.command('workflow/childControl', { ...first, childId, attempt, action });
    }
    await this.command('workflow/cancel', second);
  }

  async bytes(): Promise<void> {
    const uploadId = v7();
    const chunk = { uploadId, mediaType: 'video/mp4', totalBytes: 4, chunkCount: 2 };
    await this.command('media/upload', { ...chunk, chunkIndex: 0, chunkBase64: 'AAAA' });
    await this.command('media/upload', { ...chunk, chunkIndex: 1, chunkBase64: 'AA==' });
    await this.run('', { input: [{ type: 'video', uploadId }] });
    const item = (await this.items('toolCall')).find(({ outputRef }) => outputRef !== undefined);
    const outputRef = (item?.['outputRef'] as JsonObject | undefined)?.['id'];
    await this.query('item/readOutput', { itemId: item?.['itemId'], outputRef, lengthBytes: 100 });
    await this.command('session/userShell', { commandText: 'echo hi' });
    await this.client.result('usage/read');
    const report = { classification: 'bug', note: 'x', withFiles: true, attachSessionRecord: true };
    await this.query('feedback/submit', report);
  }

  async branches(): Promise<void> {
    await this.command('session/fork');
    await this.command('session/sideChat');
    await this.command('session/resume');
    await this.client.result('session/list', { filter: {} });
  }

  /** Falls behind, and is told so. */
  async view(): Promise<void> {
    this.client.backlogBytes = Number.POSITIVE_INFINITY;
    await this.command('goal/set', { objective: 'missed' });
    await this.query('view/page', { limit: 1 });
    this.client.backlogBytes = 0;
    await this.run('seen');
    await this.query('view/unsubscribe');
    await this.query('view/subscribe', { after: `v:${this.sessionId}:0` });
  }
}

describe('the reference server', () => {
  it('serves every method and sends every notification of the bundle, each frame valid', async () => {
    const { methods, notifications, requests } = await loadBundle(bundledSchemaPath());
    await withHost({}, async (on) => {
      const { client } = on;
      const requestedCapabilities = ['userShell', 'sessionListStream', 'feedback'];
      await client.initialize({ requestedCapabilities, experimentalApi: true });
      const tour = new Tour(client, await client.startSession());
      for (const { cue } of BEHAVIOURS) if (!/approval|#question|#slow|#task/.test(cue)) await tour.run(cue);
      await tour.approvals();
      await tour.questions();
      await tour.turns();
      await tour.goals();
      await tour.settings();
      await tour.tasks();
      await tour.subagents();
      await tour.workflows();
      await tour.bytes();
      await tour.branches();
      await tour.view();
      await on.host.drain();
      const sent = new Set([...NEVER_SENT, ...client.frames.map(({ method }) => method)]);
      expect([...methods.keys()].filter((method) => ![...client.methods.values()].includes(method))).toEqual(
        [],
      );
      expect([...notifications.keys(), ...requests.keys()].filter((method) => !sent.has(method))).toEqual([]);
    });
  });
});
