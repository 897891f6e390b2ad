import { describe, expect, it } from 'vitest';
import { failedCheckOf, scenarioOf } from '../../test/report/sample-report.js';
import type { RunObserver } from '../report/observer.js';
import { asJudged, progressOn } from './progress.js';

function screen(isTerminal: boolean) {
  const written: string[] = [];
  let ms = 0;
  const now = () => {
    ms += 1000;
    return ms;
  };
  return {
    written,
    screen: { isTerminal, columns: 60, write: (text: string) => void written.push(text), now },
  };
}

function play(observer: RunObserver): void {
  const ids = ['a', 'b', 'c', 'd\u001b[2J'];
  observer.runStarted({ scenarios: ids, workers: 1 });
  for (const id of ids) {
    observer.scenarioStarted(id);
    observer.passStarted(id, 'conflict');
    observer.scenarioFinished(scenarioOf({ id, status: id === 'b' ? 'failed' : 'passed' }));
  }
  observer.runFinished();
}

describe('progress', () => {
  it('is a line per scenario where nobody watches', () => {
    const { written, screen: plain } = screen(false);
    play(progressOn(plain, false));
    expect(written).toEqual([
      '4 scenarios, 1 worker\n',
      '✔ 1/4 a (412 ms)\n',
      '✘ 2/4 b failed (412 ms)\n',
      '✔ 3/4 c (412 ms)\n',
      '✔ 4/4 d\\x1b[2J (412 ms)\n',
    ]);
  });

  it('is one line with scenario, pass, counts and time left at a terminal', () => {
    const { written, screen: live } = screen(true);
    play(progressOn(live, false));
    expect(written).toContain('\r\u001b[K1/4 · b conflict');
    expect(written.some((text) => /3\/4 · 1 failed · about .* left · d\\x1b\[2J conflict/.test(text))).toBe(
      true,
    );
    expect(written.at(-1)).toBe('\r\u001b[K');
    expect(written.every((text) => text.startsWith('\r\u001b[K') && !text.includes('\n'))).toBe(true);
    expect(Math.max(...written.map((text) => text.length))).toBeLessThanOrEqual(60 + 4);
  });

  it('counts what was not begun', () => {
    const { written, screen: plain } = screen(false);
    const unbegun = { status: 'errored', checks: [], durationMs: 0 } as const;
    play(
      asJudged(progressOn(plain, false), (result) =>
        result.id === 'a' ? result : { ...result, ...unbegun },
      ),
    );
    expect(written).toEqual(['4 scenarios, 1 worker\n', '✔ 1/4 a (412 ms)\n', '– 3 not run\n']);
  });

  it('shows a failure as the report will judge it', () => {
    const { written, screen: plain } = screen(false);
    const expectedFailure = { match: 'b', reason: 'known' };
    const excused = { status: 'passed', checks: [failedCheckOf({ expectedFailure })] } as const;
    play(
      asJudged(progressOn(plain, false), (result) =>
        result.id === 'b' ? { ...result, ...excused } : result,
      ),
    );
    expect(written).toContain('⊘ 2/4 b failed as expected (412 ms)\n');
  });

  it('is nothing with --quiet', () => {
    const { written, screen: quiet } = screen(true);
    play(progressOn(quiet, true));
    expect(written).toEqual([]);
  });
});
