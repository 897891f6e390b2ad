import { describe, expect, it } from 'vitest';
import { HostStartError, SecondConnectionError } from './host.js';
import { groupEnds, groupLives } from './process-group.js';
import { Reading, serverCommand, spec, testHosts } from './testing/hosts.js';

const { bench, open } = testHosts();

async function started(manner: string, overrides: Parameters<typeof spec>[0] = {}, ...args: string[]) {
  const host = await open(spec({ command: serverCommand(manner, ...args), ...overrides }));
  return { host, reading: new Reading(await host.connect()) };
}

describe('starting over stdio', () => {
  it.each([
    [
      'a program that does not exist',
      ['/no/such/program', 'with words'],
      /\/no\/such\/program "with words".*no such program/,
    ],
    ['a file that is not executable', [serverCommand('echo')[1] ?? ''], /not executable/],
  ])('names %s', async (_, command, message) => {
    const failure = open(spec({ command }));
    await expect(failure).rejects.toThrow(HostStartError);
    await expect(failure).rejects.toThrow(message);
    await expect(failure).rejects.toMatchObject({ reason: 'notSpawned' });
  });

  it('gives the server a hermetic environment, its placeholders and the folder the harness runs in', async () => {
    process.env['MSP_TEST_SECRET'] = 'user';
    const on = await bench();
    const command = serverCommand(
      'echo',
      '{stateDir}/x',
      '--p={port}',
      '{scenarioDir}',
      '{workspace}:{frameLimitBytes}',
      '{other}',
      '$HOME',
    );
    const host = await open(spec({ command, env: { GIVEN: '{port}' } }), on, 4096);
    const [hello] = await new Reading(await host.connect()).frames(1);
    const env = hello?.['env'] as Record<string, string>;
    expect(hello?.['args']).toEqual([
      `${on.stateDir}/x`,
      `--p=${on.port}`,
      on.scenarioDir,
      `${on.workspace}:4096`,
      '{other}',
      '$HOME',
    ]);
    expect(hello?.['cwd']).toBe(process.cwd());
    expect(env).toMatchObject({
      MSP_STATE_DIR: on.stateDir,
      GIVEN: String(on.port),
      PATH: process.env['PATH'],
    });
    expect(env['MSP_TEST_SECRET']).toBeUndefined();
    for (const name of [
      'HOME',
      'TMPDIR',
      'XDG_CONFIG_HOME',
      'XDG_DATA_HOME',
      'XDG_STATE_HOME',
      'XDG_CACHE_HOME',
      'XDG_RUNTIME_DIR',
    ]) {
      expect(env[name]).toMatch(new RegExp(`^${on.stateDir}/`));
    }
  });

  it('gives the server the user’s environment and another folder on request', async () => {
    process.env['MSP_TEST_SECRET'] = 'user';
    const on = await bench();
    const host = await open(
      spec({ command: serverCommand('echo'), inheritEnv: true, cwd: '{workspace}' }),
      on,
    );
    const [hello] = await new Reading(await host.connect()).frames(1);
    expect(hello?.['env']).toMatchObject({
      MSP_TEST_SECRET: 'user',
      HOME: process.env['HOME'],
      MSP_STATE_DIR: on.stateDir,
    });
    expect(hello?.['cwd']).toBe(on.workspace);
  });

  it('has one connection', async () => {
    const { host } = await started('echo');
    await expect(host.connect()).rejects.toThrow(SecondConnectionError);
  });
});

describe('frames over stdio', () => {
  it('come as the server wrote them, byte by byte or not, and an unterminated rest is a fault', async () => {
    const { host, reading } = await started('byteByByte');
    await reading.frames(3);
    await host.stop();
    expect(reading.raws).toEqual(['{"a":"é"}', '{"b":2}\r', '']);
    expect(reading.faults).toMatchObject([{ kind: 'unterminatedLine', bytes: 7, head: '{"c":3}' }]);
    expect(await reading.connection.closed).toBe('end');
  });

  it('are sent with one line feed', async () => {
    const { reading } = await started('echo');
    await reading.connection.send('{"n":1}');
    await reading.connection.send(Buffer.from('{"n":2}'));
    await reading.connection.sendRaw(Buffer.from('{"n":3}\n{"n":4}\n'));
    expect((await reading.frames(5)).slice(1)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
  });

  it('that wait for their listener are not lost, even when the server has exited', async () => {
    const host = await open(spec({ command: serverCommand('usage') }));
    const connection = await host.connect();
    await host.exited;
    const reading = new Reading(connection);
    expect(await reading.fault('unterminatedLine')).toMatchObject({ head: 'not a frame' });
  });

  it('past the cap are a fault, take no memory, and the next frame is read', async () => {
    const { reading } = await started('oneLongLine', {}, '64');
    expect(await reading.frames(1)).toEqual([{ after: true }]);
    expect(reading.faults).toMatchObject([{ kind: 'oversizeLine', limitBytes: 1024 * 1024 }]);
    expect(reading.faults[0]).toHaveProperty('head', 'x'.repeat(4096));
  });

  it('stop coming when reading is paused, and come when it is resumed', async () => {
    const { host, reading } = await started('floods', {}, '200000');
    await reading.frames(1);
    reading.connection.pause();
    const whilePaused = reading.raws.length;
    expect(whilePaused).toBeLessThan(200_000);
    reading.connection.resume();
    await reading.frames(200_000);
    expect(reading.raws.at(-1)).toBe('{"n":199999}');
    expect((await host.stop()).exit).toEqual({ code: 0, signal: null });
  });

  it('that the server never reads stay pending and hold up nothing', async () => {
    const { host, reading } = await started('neverReads');
    const sent = reading.connection.sendRaw(Buffer.alloc(8 * 1024 * 1024, 'x'));
    await reading.frames(1);
    expect(reading.connection.pendingBytes).toBeGreaterThan(0);
    await host.kill();
    await sent;
  });
});

describe('stopping over stdio', () => {
  it.each([
    { manner: 'echo', graceMs: 60_000, endedBy: 'inputClosed', exit: { code: 0, signal: null } },
    { manner: 'endsOnSigterm', graceMs: 100, endedBy: 'SIGTERM', exit: { code: 0, signal: null } },
    { manner: 'neverReads', graceMs: 100, endedBy: 'SIGTERM', exit: { code: null, signal: 'SIGTERM' } },
    { manner: 'ignoresSigterm', graceMs: 100, endedBy: 'SIGKILL', exit: { code: null, signal: 'SIGKILL' } },
  ])('a server that $manner ends by $endedBy', async ({ manner, graceMs, endedBy, exit }) => {
    const { host, reading } = await started(manner, { graceMs });
    await reading.frames(1);
    expect(await host.stop()).toEqual({ endedBy, exit, leftProcesses: false });
    expect(await host.stop()).toEqual({ endedBy, exit, leftProcesses: false });
    expect(groupLives(host.pid ?? 0)).toBe(false);
  });

  it('delivers what the server says while it drains, though the reader had paused', async () => {
    const { host, reading } = await started('drains');
    reading.connection.pause();
    await host.stop();
    expect(reading.raws.map((raw) => raw.length)).toEqual([300_014]);
  });

  it('tells the exit code of a server that died by itself', async () => {
    const { host, reading } = await started('dies');
    expect(await host.exited).toEqual({ code: 7, signal: null });
    expect(await reading.connection.closed).toBe('end');
    await reading.connection.send('{}');
    expect(await host.stop()).toMatchObject({ endedBy: 'before', exit: { code: 7, signal: null } });
  });

  it('keeps the usage text that a server printed', async () => {
    const { host } = await started('usage');
    await host.stop();
    expect(host.stderrTail()).toBe('usage: server --port PORT\n');
  });

  it('ends a server that has closed its stdout', async () => {
    const { host, reading } = await started('closesStdout');
    expect(await reading.connection.closed).toBe('end');
    expect(await host.stop()).toMatchObject({ endedBy: 'inputClosed', exit: { code: 3 } });
  });

  it('kills and reports the processes that the server left in its group', async () => {
    const { host, reading } = await started('leavesChild', { graceMs: 1000 });
    await reading.frames(1);
    expect(await host.stop()).toMatchObject({ endedBy: 'inputClosed', leftProcesses: true });
    expect(groupLives(host.pid ?? 0)).toBe(false);
  });

  it('survives a flood of stderr and keeps its end', async () => {
    const { host, reading } = await started('floodsStderr');
    await reading.frames(1);
    await host.stop();
    expect(host.stderrTail().length).toBe(16 * 1024);
    expect(host.stderrTail()).toMatch(/e\nthe last words\n$/);
  });
});

describe('killing over stdio', () => {
  it('ends the whole group and delivers the frames that were in the pipe', async () => {
    const { host, reading } = await started('leavesChild');
    await reading.frames(1);
    expect(await host.kill()).toEqual({ code: null, signal: 'SIGKILL' });
    expect(groupLives(host.pid ?? 0)).toBe(false);
    expect(await reading.connection.closed).toBe('end');
  });

  it('does not wait for a daemon in another session that holds stdout open', async () => {
    const { host, reading } = await started('leavesDaemon');
    const [{ daemon } = {}] = await reading.frames(1);
    expect(await host.kill()).toEqual({ code: null, signal: 'SIGKILL' });
    expect(await reading.connection.closed).toBe('local');
    process.kill(Number(daemon), 'SIGKILL');
    expect(await groupEnds(Number(daemon), 60_000)).toBe(true);
  });

  it('leaves the folders to the next host on the same workbench', async () => {
    const on = await bench();
    const target = spec({ command: serverCommand('echo') });
    const first = await open(target, on);
    await first.kill();
    const second = await open(target, on);
    const [hello] = await new Reading(await second.connect()).frames(1);
    expect(hello?.['env']).toHaveProperty('MSP_STATE_DIR', on.stateDir);
  });
});
