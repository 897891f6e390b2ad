import { EventEmitter, once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Scenario } from '../transcript/scenario.js';
import type { MockOptions } from './mock-options.js';
import type { MockReport } from './mock-report.js';
import { mockSocket } from './mock-socket.js';
import { mockStreams } from './mock-streams.js';
import { answer, note, request, scenarioOf } from './testing/scenarios.js';

const CALL = scenarioOf(['client', request(1, 'a')], ['server', answer(1)], ['server', note('b')]);
const ASK = `${JSON.stringify(request(1, 'a'))}\n`;
const REPLY = `${JSON.stringify(answer(1))}\n`;

let stateDir: string;
beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
});
afterEach(() => rm(stateDir, { recursive: true, force: true }));

describe('over a pair of streams', () => {
  it('answers and ends with 0 after the client’s end', async () => {
    const mock = start(CALL);
    mock.from.end(ASK);
    expect(await mock.ending).toBe(0);
    expect(mock.written()).toBe(`${REPLY}${JSON.stringify(note('b'))}\n`);
    expect(mock.reports).toEqual([{ report: 'mockComplete', scenario: 'made' }]);
  });

  it('reports the first other frame and ends with 1, the input still open', async () => {
    const mock = start(CALL);
    mock.from.write(ASK.replace('"a"', '"z"'));
    expect(await mock.ending).toBe(1);
    expect(mock.written()).toBe('');
    expect(mock.reports).toMatchObject([{ report: 'mockFailure', problem: 'frameDivergence', line: 1 }]);
  });

  it('reports a client that ends within the script', async () => {
    const mock = start(CALL);
    mock.from.end();
    expect(await mock.ending).toBe(1);
    expect(mock.reports).toMatchObject([{ problem: 'clientEof', expected: ASK.trimEnd() }]);
  });

  it('reports a line that is too long to be a frame, whether it ends or not', async () => {
    const scenario = { ...CALL, manifest: { serverConfig: { frameLimitBytes: 10 } } };
    const mock = start(scenario);
    mock.from.write('x'.repeat(10_000));
    expect(await mock.ending).toBe(1);
    expect(mock.reports).toMatchObject([{ problem: 'malformedClientFrame' }]);
  });

  it('dies after the script when it is told to', async () => {
    const mock = start(CALL, { death: { exitCode: 70, stderrLines: 2 } });
    mock.from.write(ASK);
    expect(await mock.ending).toBe(70);
    expect(mock.moans).toHaveLength(2);
  });

  it.each([
    ['restart', 0],
    ['reconnect', 0],
    ['crash', 'SIGKILL'],
  ] as const)('ends at %s, and a later life on the same state goes on behind it', async (op, ending) => {
    const scenario = scenarioOf(['client', request(1, 'a')], ['server', answer(1)], op, ...again());
    const first = start(scenario);
    first.from.write(ASK);
    first.to.once('end', () => first.from.end());
    expect(await first.ending).toBe(ending);
    const second = start(scenario);
    second.from.end(ASK.replace('"a"', '"c"'));
    expect(await second.ending).toBe(0);
    expect(second.written()).toBe(`${JSON.stringify(answer(1, { c: 1 }))}\n`);
    expect(await readdir(stateDir)).toEqual([]);
  });

  it('begins anew when what is remembered belongs to another script', async () => {
    const first = start(scenarioOf(['server', note('x')], 'crash', ...again()));
    await first.ending;
    const second = start(CALL);
    second.from.end(ASK);
    expect(await second.ending).toBe(0);
  });
});

describe('over a socket', () => {
  it('goes on with the next connection where the script reconnects, and drops a second one', async () => {
    const scenario = scenarioOf(['client', request(1, 'a')], ['server', answer(1)], 'reconnect', ...again());
    const reports: MockReport[] = [];
    const path = join(stateDir, 'sock');
    const listening = new EventEmitter();
    const say = (report: MockReport) => {
      reports.push(report);
      listening.emit(report.report);
    };
    const address = { kind: 'unix', path } as const;
    const ending = mockSocket(scenario, address, { ...quiet(reports), say }, new AbortController().signal);
    await once(listening, 'mockListening');
    const first = connect(path);
    const second = await everything(connect(path));
    first.write(ASK);
    expect(await everything(first)).toBe(REPLY);
    expect(second).toBe('');
    const third = connect(path);
    third.end(ASK.replace('"a"', '"c"'));
    expect(await everything(third)).toBe(`${JSON.stringify(answer(1, { c: 1 }))}\n`);
    expect(await ending).toBe(0);
    expect(reports.map(({ report }) => report)).toEqual(['mockListening', 'mockComplete']);
  });

  it('listens at a port that the system chooses, until it is told to stop', async () => {
    const reports: MockReport[] = [];
    const stop = new AbortController();
    const say = (report: MockReport) => {
      reports.push(report);
      stop.abort('over');
    };
    const address = { kind: 'tcp', host: '127.0.0.1', port: 0 } as const;
    await expect(mockSocket(CALL, address, { ...quiet(reports), say }, stop.signal)).rejects.toBe('over');
    expect(reports).toEqual([
      expect.objectContaining({ address: expect.stringMatching(/^tcp:127\.0\.0\.1:[1-9]/) }),
    ]);
  });
});

function again() {
  return [
    ['client', request(1, 'c')],
    ['server', answer(1, { c: 1 })],
  ] as const;
}

function quiet(reports: MockReport[], moans: string[] = []): MockOptions {
  return {
    stateDir,
    death: undefined,
    say: (report) => reports.push(report),
    moan: (line) => moans.push(line),
  };
}

function start(scenario: Scenario, extra: Partial<MockOptions> = {}) {
  const [from, to] = [new PassThrough(), new PassThrough()];
  const [reports, moans]: [MockReport[], string[]] = [[], []];
  let written = '';
  to.on('data', (chunk) => {
    written += chunk;
  });
  const ending = mockStreams(scenario, { from, to }, { ...quiet(reports, moans), ...extra });
  return { from, to, reports, moans, ending, written: () => written };
}

function everything(socket: Socket): Promise<string> {
  let text = '';
  return new Promise((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.once('close', () => resolve(text));
    socket.once('error', () => {});
  });
}
