import { describe, expect, it } from 'vitest';
import type { Fault } from '../reference/faults.js';
import type { CheckResult } from '../report/model.js';
import { killMatrix, killMatrixJson } from './kill-matrix.js';
import { isProven, type SelftestOutcome } from './selftest.js';

const fault = (name: string): Fault => ({
  name,
  breaks: 'A promise.',
  caughtBy: ['wire/utf8'],
  shownBy: { scenarios: ['a-turn'], passes: [] },
  seams: () => ({}),
});

const complaint = (id: string): CheckResult => ({
  id,
  status: 'failed',
  severity: 'must',
  pass: 'replay',
  step: null,
  method: null,
  message: `the message of ${id}`,
  requirement: '',
  differences: [],
  evidence: [],
});

const faults = [fault('one'), fault('two')];
const trial = (tried: Fault, isCaught: boolean, ...ids: string[]) => ({
  fault: tried,
  isCaught,
  complaints: ids.map(complaint),
  obstacle: undefined,
  durationMs: 5,
});
const honest = (...ids: string[]) => ({
  scenario: 'a-turn',
  alarms: ids.map(complaint),
  obstacle: undefined,
  durationMs: 5,
});

const CAUGHT: SelftestOutcome = {
  honest: [honest()],
  faults: faults.map((each) => trial(each, true, 'wire/utf8')),
  durationMs: 1500,
};

describe('the kill matrix', () => {
  it('ends with the total', () => {
    expect(killMatrix(CAUGHT, faults, 0)).toContain('2/2 faults caught, 0 false alarms');
    expect(isProven(CAUGHT, faults)).toBe(true);
  });

  it('tells of a survivor what should have seen it and what did', () => {
    const outcome = {
      ...CAUGHT,
      faults: [trial(fault('one'), true, 'wire/utf8'), trial(fault('two'), false, 'replay/answered')],
    };
    const text = killMatrix(outcome, faults, 0);
    expect(text).toContain('1/2 faults caught, 0 false alarms');
    expect(text).toMatch(/two survived: A promise\.\n.*wire\/utf8 did not fail in a-turn.*replay\/answered/);
    expect(isProven(outcome, faults)).toBe(false);
  });

  it('tells of a false alarm, which a full score does not excuse', () => {
    const outcome = { ...CAUGHT, honest: [honest('turn/started-once')] };
    const text = killMatrix(outcome, faults, 0);
    expect(text).toContain('2/2 faults caught, 1 false alarm ');
    expect(text).toContain('the message of turn/started-once');
    expect(isProven(outcome, faults)).toBe(false);
  });

  it('is not proven by an honest server that did not come through, or by faults that were not tried', () => {
    const stuck = { ...CAUGHT, honest: [{ ...honest(), obstacle: 'errored: it did not start' }] };
    expect(killMatrix(stuck, faults, 0)).toContain('it did not start');
    expect(isProven(stuck, faults)).toBe(false);
    expect(isProven({ ...CAUGHT, faults: CAUGHT.faults.slice(1) }, faults)).toBe(false);
  });

  it('says the same to a program', () => {
    expect(JSON.parse(killMatrixJson(CAUGHT, faults))).toMatchObject({
      totals: { faults: 2, caught: 2, falseAlarms: 0 },
      faults: [
        { name: 'one', isCaught: true, complaints: [{ id: 'wire/utf8', status: 'failed' }] },
        { name: 'two' },
      ],
    });
  });
});
