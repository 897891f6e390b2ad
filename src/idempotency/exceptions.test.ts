import { describe, expect, it } from 'vitest';
import { isCarrierless, makesSession, saysPromptIsOver, setsWorkGoing, targetMember } from './exceptions.js';
import { bundle } from './testing/recording.js';

const COMMANDS = [...bundle.methods.keys()].filter((method) => bundle.isCommand(method));

describe('exceptions from the ledger', () => {
  it('name commands of the bundle only, and targets that their params have', () => {
    const carrierless = COMMANDS.filter(isCarrierless);
    expect(carrierless.sort()).toEqual(['task/stop', 'task/stopAll', 'turn/cancel', 'turn/interrupt']);
    for (const method of carrierless) {
      const target = targetMember(method);
      if (target !== undefined) expect(bundle.paramsRoot(method)?.schema.properties).toHaveProperty(target);
    }
    expect(targetMember('task/stopAll')).toBeUndefined();
  });

  it('leave a task that is sent to the background in the ledger', () => {
    expect(isCarrierless('task/background')).toBe(false);
  });

  it('know the commands that make a session', () => {
    expect(COMMANDS.filter(makesSession).sort()).toEqual([
      'session/fork',
      'session/sideChat',
      'session/start',
    ]);
  });

  it('know the commands whose work goes on by itself', () => {
    expect(setsWorkGoing('goal/set')).toBe(true);
    expect(setsWorkGoing('subagent/sendMessage')).toBe(true);
    expect(setsWorkGoing('turn/start')).toBe(false);
  });

  it.each([
    ['approval/decide', 'approvalAlreadyResolved', true],
    ['userInput/answer', 'userInputNotFound', true],
    ['turn/start', 'approvalAlreadyResolved', false],
    ['approval/decide', 'commandRejected', false],
    ['approval/decide', undefined, false],
  ])('%s answered with %s: over is %s', (method, kind, isOver) => {
    expect(saysPromptIsOver(method, kind)).toBe(isOver);
  });
});
