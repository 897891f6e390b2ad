import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { afterEach, beforeEach, expect } from 'vitest';
import { Client, type Frame, spawnServer } from './client.js';
import { hasBundle, makeJudge } from './validity.js';

export const SLOW = 'please take your time';
export const LONG = { OTHER_SLOW_MS: '600000' };

const judge = hasBundle ? makeJudge() : undefined;

export let stateDir: string;
let running: ChildProcess[];
let clients: Client[];

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  running = [];
  clients = [];
});

afterEach(async () => {
  await Promise.all(running.map(kill));
  await rm(stateDir, { recursive: true, force: true });
  if (judge === undefined) return;
  expect(clients.flatMap(({ received }) => received.flatMap(judge))).toEqual([]);
});

if (judge === undefined) console.warn('other-server: no schema bundle at hand, its frames are not validated');

export interface Setup {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Running {
  readonly server: ChildProcess;
  readonly client: Client;
}

export async function start(setup: Setup = {}): Promise<Running> {
  const server = launch(setup);
  if (server.stdout === null || server.stdin === null) throw new Error('the server has no pipes');
  const client = known(new Client(server.stdout, server.stdin));
  await client.greet();
  return { server, client };
}

export function launch(setup: Setup): ChildProcess {
  const server = spawnServer({ stateDir, ...setup });
  running.push(server);
  return server;
}

export function known(client: Client): Client {
  clients.push(client);
  return client;
}

export async function kill(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill('SIGKILL');
  await once(server, 'close');
}

export async function stop({ server, client }: Running): Promise<number | null> {
  client.end();
  const [code] = await once(server, 'close');
  return code;
}

export async function openSession(client: Client): Promise<string> {
  const { result } = await client.command('session/start', { workspaceRoot: stateDir });
  return result.session.sessionId;
}

export async function resumed(client: Client, sessionId: string): Promise<Frame> {
  const { result } = await client.command('session/resume', { sessionId });
  return result;
}

export function turn(sessionId: string, text: string): Frame {
  return { sessionId, commandId: v7(), input: [{ type: 'text', text }] };
}

export function of(events: Frame[], method: string, turnId: string): Frame[] {
  return events.filter((event) => event['method'] === method && event['params'].turnId === turnId);
}

export function bodyOf(frame: Frame): unknown {
  return 'result' in frame ? frame['result'] : frame['error'];
}

export function rejectionOf(frame: Frame): unknown {
  return [frame['error']?.code, frame['error']?.data.kind, frame['error']?.data.reason];
}

export const CONFLICT = [-32030, 'commandRejected', 'command_id_conflict'];
export const ABANDONED = [-32030, 'commandRejected', 'abandoned_by_recovery'];
