import { describe, expect, it } from 'vitest';
import type { LiveCommand } from '../replay/drive-context.js';
import type { ClientStep, Script } from '../replay/script.js';
import { crashPlan } from './crash-plan.js';
import { ack, sent } from './testing/commands-sent.js';

const EVERYTHING = { after: true, before: 8, stop: true };

describe('a crash plan', () => {
  const commands = [command(3, {}, 4), command(5, {}, 8), command(9, {}, 2)];
  const script = scriptOf(commands);

  it('is the same for the same seed, and another for another', () => {
    expect(crashPlan(script, commands, EVERYTHING, 7)).toEqual(crashPlan(script, commands, EVERYTHING, 7));
    expect(crashPlan(script, commands, EVERYTHING, 7)).not.toEqual(
      crashPlan(script, commands, EVERYTHING, 8),
    );
  });

  it('kills once after each ack, and so often before one as was asked, over all commands', () => {
    const points = crashPlan(script, commands, EVERYTHING, 7);
    expect(linesOf(points, 'after-ack')).toEqual([3, 5, 9]);
    expect(linesOf(points, 'before-ack')).toHaveLength(8);
    expect(new Set(linesOf(points, 'before-ack'))).toEqual(new Set([3, 5, 9]));
  });

  it('draws moments around the usual time to the ack, the first at once', () => {
    const [first, ...others] = crashPlan(script, commands, { ...EVERYTHING, before: 300 }, 7).filter(
      ({ side }) => side === 'before-ack',
    );
    expect(first?.delayMs).toBe(0);
    const fractions = others.map(
      ({ line, delayMs }) => delayMs / (commands.find(({ step }) => step.line === line)?.answer.tookMs ?? 1),
    );
    expect(Math.min(...fractions)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...fractions)).toBeLessThan(1.25);
    expect(fractions.some((fraction) => fraction < 0.25)).toBe(true);
    expect(fractions.some((fraction) => fraction > 1)).toBe(true);
  });

  it('stops in order while a turn is slow or queued, and where that was asked for', () => {
    const going = [
      command(3, {}, 1),
      command(5, { behaviour: 'slow' }, 1),
      command(7, {}, 1, { disposition: 'queued' }),
    ];
    const points = crashPlan(scriptOf(going), going, EVERYTHING, 7);
    expect(linesOf(points, 'after-stop')).toEqual([5, 7]);
    expect(
      linesOf(crashPlan(scriptOf(going), going, { ...EVERYTHING, stop: false }, 7), 'after-stop'),
    ).toEqual([]);
  });

  it('kills but once behind the end of a slow turn, which every kill would wait for again', () => {
    const slow = command(3, { behaviour: 'slow' }, 1, { turnId: 'slow' });
    const late = command(9, {}, 1);
    const end = { kind: 'server', line: 8, method: 'turn/completed', params: { turnId: 'slow' } };
    const points = crashPlan(scriptOf([slow, late], [end]), [slow, late], EVERYTHING, 7);
    expect(linesOf(points, 'before-ack').filter((line) => line === 9)).toHaveLength(1);
    expect(linesOf(points, 'before-ack').filter((line) => line === 3)).toHaveLength(7);
  });

  it('is empty without commands, or when nothing was asked for', () => {
    expect(crashPlan(scriptOf([]), [], EVERYTHING, 7)).toEqual([]);
    expect(crashPlan(script, commands, { after: false, before: 0, stop: false }, 7)).toEqual([]);
  });
});

function command(line: number, more: Partial<ClientStep>, tookMs: number, result = {}): LiveCommand {
  const { answer, ...rest } = sent(
    'turn/start',
    { commandId: `c${line}` },
    ack({ turnId: `c${line}`, ...result }, tookMs),
    { line, ...more },
  );
  const response = { kind: 'server', line: line + 1, frame: answer.frame } as ClientStep['response'];
  return { ...rest, answer, step: { ...rest.step, response } };
}

function scriptOf(commands: readonly LiveCommand[], more: readonly object[] = []): Script {
  const steps = commands.map(({ step }) => step);
  return { scenario: { id: 'a' }, steps: [...steps, ...more], commands: steps } as unknown as Script;
}

function linesOf(points: ReturnType<typeof crashPlan>, side: string): number[] {
  return points.filter((point) => point.side === side).map(({ line }) => line);
}
