import type { CheckResult, Report, ScenarioResult } from '../../src/report/model.js';
import { totalsOf, verdictOf } from '../../src/report/verdict.js';

/** A report around the given scenarios, with totals and verdict that agree with them. */
export function reportOf(scenarios: readonly ScenarioResult[], more: Partial<Report> = {}): Report {
  return {
    formatVersion: 1,
    tool: { name: 'msp-conformance', version: '0.1.0' },
    target: {
      label: 'node server.js',
      transport: 'stdio',
      command: ['node', 'server.js'],
      serverInfo: { name: 'demo-server', version: '2.3.1' },
      sessionDurability: 'durable',
    },
    schema: { path: 'schema/msp.schema.json', fingerprint: FINGERPRINT, served: FINGERPRINT, match: true },
    startedAt: '2026-01-02T03:04:05.678Z',
    durationMs: 5321,
    seed: 42,
    totals: totalsOf(scenarios),
    scenarios,
    coverage: {
      methods: [{ method: 'turn/start', exercised: true, passes: { replay: 'passed', duplicate: 'failed' } }],
    },
    ...verdictOf(scenarios),
    ...more,
  };
}

export function scenarioOf(more: Partial<ScenarioResult> = {}): ScenarioResult {
  return {
    id: 'text-run-single-turn',
    title: 'A turn from start to end',
    status: 'passed',
    reason: '',
    durationMs: 412,
    checks: [checkOf()],
    ...more,
  };
}

export function checkOf(more: Partial<CheckResult> = {}): CheckResult {
  return {
    id: 'idempotency/duplicate-ack-identical',
    status: 'passed',
    severity: 'must',
    pass: 'duplicate',
    step: 5,
    method: 'turn/start',
    message: '',
    requirement: 'MSP commands: exactly-once effect',
    differences: [],
    evidence: [],
    ...more,
  };
}

/** A failed check as a run writes it, with differences, evidence and the command that repeats it. */
export function failedCheckOf(more: Partial<CheckResult> = {}): CheckResult {
  return checkOf({
    status: 'failed',
    message:
      'The duplicate of turn/start was answered with another ack than the first. Answer it from the ledger.',
    differences: [
      { path: '/result/turnId', kind: 'changed', expected: '0198f0aa-01', actual: '0198f0aa-02' },
      { path: '/result/startedNewTurn', kind: 'type', expected: true, actual: 'true' },
      { path: '/result/disposition', kind: 'missing', expected: 'started' },
      { path: '/result/extra', kind: 'extra', actual: { a: [1, 2] } },
      {
        path: '/result/session',
        kind: 'changed',
        expected: {
          sessionId: '0198f0aa-0000',
          status: 'idle',
          turnCount: 1,
          workspaceRoot: '/home/demo/workspace',
        },
        actual: {
          sessionId: '0198f0aa-0000',
          status: 'running',
          turnCount: 1,
          workspaceRoot: '/home/demo/workspace',
        },
      },
      {
        path: '/result/text',
        kind: 'changed',
        expected: 'a long answer that goes on for more than one line would hold, and then says yes',
        actual: 'a long answer that goes on for more than one line would hold, and then says no',
      },
    ],
    evidence: [
      { atMs: 0, dir: 'control', raw: 'start node server.js' },
      {
        atMs: 41.2,
        dir: 'client',
        raw: '{"jsonrpc":"2.0","id":5,"method":"turn/start","params":{"commandId":"c"}}',
      },
      { atMs: 43.9, dir: 'server', raw: '{"jsonrpc":"2.0","id":5,"result":{"turnId":"0198f0aa-01"}}' },
      {
        atMs: 44.1,
        dir: 'client',
        raw: '{"jsonrpc":"2.0","id":6,"method":"turn/start","params":{"commandId":"c"}}',
      },
      { atMs: 46.8, dir: 'server', raw: '{"jsonrpc":"2.0","id":6,"result":{"turnId":"0198f0aa-02"}}' },
    ],
    rerun:
      "msp-conformance run --only 'text-run-single-turn:idempotency/duplicate-ack-identical' --seed 42 -- node server.js",
    ...more,
  });
}

/** A run with one of everything. */
export function mixedReport(): Report {
  return reportOf([
    scenarioOf({ id: 'goal-set-round-trip', title: 'Setting a goal', durationMs: 1312 }),
    scenarioOf({
      status: 'failed',
      checks: [
        checkOf({ pass: 'replay', id: 'replay/frames-match' }),
        failedCheckOf(),
        checkOf({
          id: 'idempotency/malformed-command-id',
          status: 'warned',
          severity: 'should',
          pass: 'malformed',
          message: 'A commandId that is a UUIDv4 was accepted; the documents ask for UUIDv7.',
        }),
        checkOf({
          id: 'tolerance/unknown-member',
          severity: 'note',
          pass: 'replay',
          message: 'unknown member /result/x',
        }),
        checkOf({
          id: 'durability/lease',
          status: 'untestable',
          pass: 'restart',
          message: 'no restart command',
        }),
      ],
      stderr: 'listening\nwarning: ledger index rebuilt\n',
    }),
    scenarioOf({
      id: 'approval-round-trip',
      title: 'An approval',
      status: 'notApplicable',
      reason: "the target names no behaviour `approval`; add --behaviour approval='…'",
      checks: [],
    }),
    scenarioOf({
      id: 'cursor-retained',
      status: 'errored',
      reason: 'the server did not start within 10 s',
      checks: [],
    }),
  ]);
}

/** Everything that a hostile server may put into a string. */
export const HOSTILE_STRINGS: readonly string[] = [
  '\u001b[2J\u001b]0;owned\u0007',
  '\u009b31m',
  'a]]>b<![CDATA[c',
  '</style></script><script>alert(1)</script><!--',
  '" onload="alert(1)',
  '::error::owned',
  '\n::set-env name=A::b',
  '\r\n  ::error file=a::owned',
  '##[error]owned and ##vso[task.complete]',
  'NUL \u0000 and \ufffe \uffff',
  'lone \ud800 high, \udc00 low',
  '\u202eright to left\u2066',
  'zero\u200bwidth\ufeff \u2028 \u2029 \u{e0041}',
  '@everyone see #1 at https://evil.example or www.evil.example',
  '`` ` ``` | pipe | [x](javascript:alert(1)) <img src=x onerror=alert(1)>',
  'not ok 1 - owned\n1..0\nBail out! owned # TODO',
  '---\n...\n%YAML',
  '%0A::error::owned',
  '__proto__',
];

/** A report in which every string that a server can influence is the given one. */
export function hostileReport(text: string): Report {
  const failed = failedCheckOf({
    message: text,
    method: text,
    differences: [
      { path: `/${text}`, kind: 'changed', expected: text, actual: { [text]: text } },
      { path: '/long', kind: 'changed', expected: text.repeat(9), actual: `${text.repeat(9)}!` },
      {
        path: '/block',
        kind: 'changed',
        expected: { a: text.repeat(9) },
        actual: { a: text, [text]: [text] },
      },
    ],
    evidence: [{ atMs: 1, dir: 'server', raw: text }],
    rerun: `msp-conformance run -- ${text}`,
  });
  return reportOf(
    [
      scenarioOf({ id: 'hostile', title: text, status: 'failed', checks: [failed], stderr: text }),
      scenarioOf({ id: 'hostile-reason', status: 'errored', reason: text, checks: [] }),
      scenarioOf({ id: 'hostile-absent', status: 'notApplicable', reason: text, checks: [] }),
      scenarioOf({
        id: 'hostile-others',
        checks: [
          checkOf({ message: text, severity: 'note' }),
          checkOf({ status: 'warned', message: text }),
          checkOf({ status: 'untestable', message: text }),
          failedCheckOf({ message: text, expectedFailure: { match: text, reason: text, issue: text } }),
        ],
      }),
    ],
    {
      target: {
        label: text,
        transport: 'stdio',
        command: [text],
        serverInfo: { name: text, version: text },
        sessionDurability: text,
      },
      schema: { path: text, fingerprint: text, served: text, match: false },
      staleExpectations: [{ match: text, reason: text, issue: text }],
      coverage: { methods: [{ method: text, exercised: true, passes: { replay: 'failed' } }] },
    },
  );
}

const FINGERPRINT = `sha256:${'61afea31'.repeat(8)}`;
