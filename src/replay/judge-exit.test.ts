import { describe, expect, it } from 'vitest';
import { Findings } from '../checks/findings.js';
import type { StopOutcome } from '../target/host.js';
import { judgeListenersExit } from './judge-exit.js';

function accusations(endedBy: StopOutcome['endedBy'], exit: StopOutcome['exit']): readonly string[] {
  const findings = new Findings();
  const ground = { findings, graceMs: 1, evidence: [] };
  judgeListenersExit({ endedBy, exit, leftProcesses: false }, 'replay', ground);
  return findings.all.map(({ id, message }) => `${id}: ${message}`);
}

describe('the end of a server on a socket', () => {
  it.each<[StopOutcome['endedBy'], StopOutcome['exit']]>([
    ['before', { code: 1, signal: null }],
    ['before', { code: null, signal: 'SIGSEGV' }],
    ['inputClosed', { code: 1, signal: null }],
    ['inputClosed', { code: null, signal: 'SIGABRT' }],
  ])('is a crash where it failed by itself: %s %o', (endedBy, exit) => {
    expect(accusations(endedBy, exit)).toEqual([
      expect.stringMatching(/^process\/no-crash: .*before it was told/),
    ]);
  });

  it.each<[StopOutcome['endedBy'], StopOutcome['exit']]>([
    ['before', { code: 0, signal: null }],
    ['inputClosed', { code: 0, signal: null }],
    ['inputClosed', { code: 143, signal: null }],
    ['SIGTERM', { code: 1, signal: null }],
    ['SIGTERM', { code: null, signal: 'SIGTERM' }],
    ['SIGKILL', { code: null, signal: 'SIGKILL' }],
  ])('is its own business otherwise: %s %o', (endedBy, exit) => {
    expect(accusations(endedBy, exit)).toEqual([]);
  });
});
