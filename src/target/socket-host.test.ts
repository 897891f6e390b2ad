import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HostStartError } from './host.js';
import { runServerBeside } from './testing/beside.js';
import { Reading, serverCommand, spec, testHosts } from './testing/hosts.js';

const { bench, open } = testHosts();

const UNIX = {
  address: { kind: 'unix', path: '{stateDir}/s.sock' },
  word: 'unix:{stateDir}/s.sock',
} as const;
const TCP = { address: { kind: 'tcp', host: '127.0.0.1', port: '{port}' }, word: '{port}' } as const;

describe.each([
  ['unix', UNIX],
  ['tcp', TCP],
])('a launched server on a %s socket', (_, { address, word }) => {
  const target = (manner: string) => spec({ command: serverCommand(manner, word), address });

  it('is connected to as soon as it listens, several times', async () => {
    const host = await open(target('socket'));
    const first = new Reading(await host.connect());
    const second = new Reading(await host.connect());
    expect(await first.frames(1)).toEqual([{ connection: 1, pid: host.pid }]);
    expect(await second.frames(1)).toEqual([{ connection: 2, pid: host.pid }]);
    await second.connection.send('{"to":2}');
    expect(await second.frames(2)).toContainEqual({ to: 2 });
    expect(first.raws).toHaveLength(1);
    expect(host.stderrTail()).toBe('listening\n');
  });

  it('lets go of one connection and keeps the other', async () => {
    const host = await open(target('socket'));
    const first = new Reading(await host.connect());
    const second = new Reading(await host.connect());
    await first.frames(1);
    first.connection.destroy();
    expect(await first.connection.closed).toBe('local');
    await second.connection.send('{"still":"there"}');
    expect(await second.frames(2)).toContainEqual({ still: 'there' });
    second.connection.closeInput();
    expect(await second.connection.closed).toBe('end');
  });

  it('stops on SIGTERM once its connections have ended', async () => {
    const host = await open(target('socket'));
    const { connection } = new Reading(await host.connect());
    expect(await host.stop()).toMatchObject({
      endedBy: 'SIGTERM',
      exit: { signal: 'SIGTERM' },
      leftProcesses: false,
    });
    expect(await connection.closed).toBe('end');
  });

  it('is started again on the same workbench after a kill, whatever it left behind', async () => {
    const on = await bench();
    const first = await open(target('socket'), on);
    const before = new Reading(await first.connect());
    await before.frames(1);
    await first.kill();
    expect(await before.connection.closed).not.toBe('local');
    const second = await open(target('socket'), on);
    const after = new Reading(await second.connect());
    expect(await after.frames(1)).toEqual([{ connection: 1, pid: second.pid }]);
  });

  it('that resets a connection is told from one that ends it', async () => {
    const host = await open(target('resets'));
    const reading = new Reading(await host.connect());
    await reading.frames(1);
    await reading.connection.send('{"go":1}');
    const how = await reading.connection.closed;
    // A unix socket knows no reset of its own.
    expect(how).toBe(address.kind === 'tcp' ? 'reset' : 'end');
    if (how === 'reset') expect(reading.faults).toMatchObject([{ kind: 'readFailed', code: 'ECONNRESET' }]);
  });

  it('that closes in the middle of a frame leaves a fault', async () => {
    const host = await open(target('cutsFrame'));
    const reading = new Reading(await host.connect());
    expect(await reading.connection.closed).toBe('end');
    expect(reading.raws).toEqual(['{"whole":1}']);
    expect(reading.faults).toMatchObject([{ kind: 'unterminatedLine', head: '{"half":' }]);
  });

  it('that dies before it listens is named with its exit code and its stderr', async () => {
    const host = await open(target('usage'));
    await expect(host.connect()).rejects.toMatchObject({
      name: 'HostStartError',
      reason: 'exited',
      message: expect.stringMatching(/exit code 2/),
      stderrTail: expect.stringContaining('usage: server --port PORT'),
    });
  });

  it('that never listens is named after the start timeout', async () => {
    const host = await open({ ...target('sleeps'), startTimeoutMs: 50 });
    await expect(host.connect()).rejects.toMatchObject({
      reason: 'notListening',
      message: expect.stringMatching(/50 ms/),
    });
  });

  it('is not started where somebody else listens', async () => {
    const on = await bench();
    const stranger = createServer();
    const where =
      address.kind === 'unix' ? { path: join(on.stateDir, 's.sock') } : { port: on.port, host: '127.0.0.1' };
    await new Promise<void>((resolve) => stranger.listen(where, resolve));
    await expect(open(target('socket'), on)).rejects.toMatchObject({ reason: 'occupied' });
    await new Promise((resolve) => stranger.close(resolve));
  });
});

it('a socket path that is too long for the operating system is named', async () => {
  const path = `{stateDir}/${'x'.repeat(100)}`;
  const failure = open(spec({ command: serverCommand('socket'), address: { kind: 'unix', path } }));
  await expect(failure).rejects.toThrow(HostStartError);
  await expect(failure).rejects.toThrow(/bytes.*at most/);
});

describe('a server that somebody else runs', () => {
  it('is connected to, and goes on running when it is let go of', async () => {
    const on = await bench();
    const path = join(on.root, 'o.sock');
    const other = await runServerBeside(serverCommand('socket', `unix:${path}`));
    const target = spec({ address: { kind: 'unix', path } });
    const host = await open(target, on);
    expect(await new Reading(await host.connect()).frames(1)).toEqual([{ connection: 1, pid: other.pid }]);
    expect(await host.stop()).toMatchObject({ endedBy: 'disconnected' });
    expect(await host.exited).toEqual({ code: null, signal: null });
    expect(existsSync(path)).toBe(true);
    await expect(open(target, on)).rejects.toThrow(/--restart-command/);
    const next = await open(target);
    await expect(next.kill()).rejects.toThrow(/--kill-command/);
    await other.end();
  });

  it('is killed and restarted by the user’s commands', async () => {
    const on = await bench();
    const path = join(on.root, 'o.sock');
    const other = await runServerBeside(serverCommand('socket', `unix:${path}`));
    const target = spec({
      address: { kind: 'unix', path },
      killCommand: ['kill', '-KILL', String(other.pid)],
      restartCommand: serverCommand('startsServer', `unix:${path}`),
    });
    const first = await open(target, on);
    await first.connect();
    await first.kill();
    await other.exited;
    const second = await open(target, on);
    const [hello] = await new Reading(await second.connect()).frames(1);
    expect(hello?.['pid']).not.toBe(other.pid);
    await second.stop();
    process.kill(Number(hello?.['pid']), 'SIGKILL');
  });

  it('whose restart command fails is named with what the command said', async () => {
    const on = await bench();
    const path = join(on.root, 'o.sock');
    const target = spec({ address: { kind: 'unix', path }, restartCommand: serverCommand('usage') });
    await open(target, on);
    await expect(open(target, on)).rejects.toMatchObject({
      reason: 'commandFailed',
      message: expect.stringMatching(/--restart-command .*exit code 2/),
      stderrTail: expect.stringContaining('usage: server'),
    });
  });
});
