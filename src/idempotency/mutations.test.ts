import { describe, expect, it } from 'vitest';
import { validatorFor } from '../schema/validate.js';
import { mutationsOf } from './mutations.js';
import { ack, sent } from './testing/commands-sent.js';
import { bundle } from './testing/recording.js';
import { sampleParams } from './testing/sample-params.js';

const MEANS = { bundle, otherFolder: '/run/workspace/other' };
const COMMANDS = [...bundle.methods.keys()].filter((method) => bundle.isCommand(method));
const validator = validatorFor(bundle);

/** What a command with its required members alone can be changed in. Those without an entry have but their target. */
const CONFLICTS: Readonly<Record<string, readonly string[]>> = {
  'approval/decide': ['feedback added'],
  'goal/edit': ['objective changed'],
  'goal/set': ['objective changed'],
  'media/upload': ['chunkBase64 changed'],
  'session/fork': ['excludeItems added'],
  'session/rename': ['name changed'],
  'session/resume': ['excludeItems added'],
  'session/setApprovalMode': ['mode changed'],
  'session/setModel': ['model.displayLabel added'],
  'session/setReasoningEffort': ['reasoningEffort changed'],
  'session/start': ['workspaceRoot added'],
  'session/userShell': ['commandText changed'],
  'skill/setActivation': ['activation changed'],
  'subagent/close': ['reason added'],
  'subagent/followupTask': ['body changed'],
  'subagent/interrupt': ['reason added'],
  'subagent/sendMessage': ['body changed'],
  'subagent/stop': ['reason added'],
  'turn/interrupt': ['retract added'],
  'turn/start': ['input.0.text changed', 'displayText added'],
  'turn/steer': ['input.0.text changed'],
  'userInput/answer': ['answers.0.freeText added'],
  'userInput/cancel': ['reason added'],
  'userInput/clarify': ['clarification.content changed'],
  'workflow/childControl': ['action changed'],
};

describe('conflicting payloads', () => {
  it.each(COMMANDS)('of %s are the ones of the table', (method) => {
    const command = sent(method, sampleParams(bundle, method, 'required'), ack());
    expect(mutationsOf(command, MEANS).map(({ what }) => what)).toEqual(CONFLICTS[method] ?? []);
  });

  it('are listed for commands of the bundle only', () => {
    expect(Object.keys(CONFLICTS).filter((method) => !COMMANDS.includes(method))).toEqual([]);
  });

  const samples = COMMANDS.flatMap((method) =>
    (['required', 'all'] as const).map((extent) => [method, extent] as const),
  );

  it.each(samples)('of %s with %s members are valid and name what is there', (method, extent) => {
    const params = sampleParams(bundle, method, extent);
    expect(validator.validateParams(method, params).violations).toEqual([]);
    for (const { line } of mutationsOf(sent(method, params, ack()), MEANS)) {
      const changed = (JSON.parse(line) as { params: typeof params }).params;
      expect(validator.validateParams(method, changed)).toEqual({ violations: [], notes: [] });
      expect(changed).not.toEqual(params);
      expect(namesIn(changed)).toEqual(namesIn(params));
      expect([params['workspaceRoot'], MEANS.otherFolder]).toContain(
        changed['workspaceRoot'] ?? params['workspaceRoot'],
      );
    }
  });

  it('change one place at a time', () => {
    const params = {
      commandId: 'c',
      sessionId: 's',
      displayText: 'hello',
      input: [{ type: 'text', text: 'hello' }],
    };
    const changed = mutationsOf(sent('turn/start', params, ack()), MEANS).map(
      ({ line }) => JSON.parse(line).params,
    );
    expect(changed).toEqual([
      { ...params, displayText: 'hello (changed)' },
      { ...params, input: [{ type: 'text', text: 'hello (changed)' }] },
    ]);
  });

  it.each([{ workspaceRoot: '/run/workspace' }, {}])('keep %j in step with workspaceRoots', (root) => {
    const params = { commandId: 'c', workspaceRoots: ['/run/workspace'], ...root };
    const changes = mutationsOf(sent('session/start', params, ack()), MEANS).map(({ what }) => what);
    expect(changes.filter((what) => what.includes('workspaceRoot'))).toEqual([]);
  });

  it('leave methods that the bundle does not know alone', () => {
    expect(mutationsOf(sent('vendor/thing', { commandId: 'c', text: 'x' }, ack()), MEANS)).toEqual([]);
  });
});

/** Every id of a payload, with its place: a changed payload names nothing else. */
function namesIn(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = `${path}/${name}`;
    const own = name.endsWith('Id') && typeof inner === 'string' ? [`${here}=${inner}`] : [];
    return [...own, ...namesIn(inner, here)];
  });
}
