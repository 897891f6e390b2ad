import { describe, expect, it } from 'vitest';
import type { Answer } from '../replay/exchange.js';
import { judgeConflict } from './judge-conflict.js';
import { ack, answer, rejected, sent } from './testing/commands-sent.js';

const refused = (kind: string, code = -32000, reason?: string): Answer =>
  answer('error', JSON.stringify({ code, message: 'no', data: { kind, ...(reason && { reason }) } }));

const command = sent(
  'session/start',
  { commandId: 'c', name: 'One', workspaceRoot: '/here', isQuiet: false },
  ack({ commandId: 'c' }),
);
const otherText = command.line.replace('One', 'Two');
const otherRoot = command.line.replace('/here', '/there');
const addedText = command.line.replace('"name"', '"title":"Added","name"');

describe('the answer to another payload under a known commandId', () => {
  it.each<[string, string, Answer, string]>([
    ['the conflict', otherText, rejected('command_id_conflict'), 'passed'],
    ['an ack', otherText, ack({ commandId: 'c' }), 'failed'],
    ['a rejection for another reason', otherText, rejected('missing_goal'), 'failed'],
    [
      'the conflict under another code',
      otherText,
      refused('commandRejected', -32602, 'command_id_conflict'),
      'failed',
    ],
    [
      'the conflict under another kind',
      otherText,
      refused('invalidParams', -32602, 'command_id_conflict'),
      'failed',
    ],
    ['an internal error', otherRoot, refused('internal', -32603), 'failed'],
    ['an error without a kind', otherRoot, answer('error', '{"code":-32030,"message":"no"}'), 'failed'],
    ['a refusal of the payload itself', otherRoot, refused('workspaceNotTrusted'), 'warned'],
    ['invalidParams for another folder', otherRoot, refused('invalidParams', -32602), 'warned'],
    ['invalidParams for an added member', addedText, refused('invalidParams', -32602), 'warned'],
    ['invalidParams for another text', otherText, refused('invalidParams', -32602), 'failed'],
  ])('%s', (_what, line, given, expected) => {
    expect(judgeConflict(command, line, given)).toBe(expected);
  });

  it('may be that the prompt of a decision is over', () => {
    const decision = sent('approval/decide', { commandId: 'c', feedback: 'One' }, ack());
    const line = decision.line.replace('One', 'Two');
    expect(judgeConflict(decision, line, refused('approvalAlreadyResolved'))).toBe('warned');
  });
});
