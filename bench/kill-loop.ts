import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { v7 as mintUuid } from 'uuid';
import { Account, type Figures, type Sent } from './kill/account.js';
import type { Client, Json, Response } from './kill/client.js';
import { Life } from './kill/life.js';
import { type Random, randomFrom } from './mutate.js';
import { withFolder } from './paths.js';
import { exitOnSignals } from './signals.js';

/** Clients, each with a session of its own and so many commands in flight. */
const CLIENTS = 4;
const IN_FLIGHT = 8;

/** Kills after which fresh sessions are taken, so that their logs stay of a size. */
const KILLS_PER_FOLDER = 10;

/** The longest that a server is left to work, in milliseconds. */
const LONGEST_LIFE_MS = 400;

const PAGE = 1000;

const PROBLEMS_SHOWN = 20;

/**
 * Kills the reference server under load, again and again, and holds what it knows afterwards to what it had said: no
 * acknowledged command is lost, none runs twice. Ends with 1 otherwise.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { kills: { type: 'string', default: '200' }, seed: { type: 'string' } },
  });
  const [kills, seed] = [Number(values.kills), Number(values.seed ?? randomInt(2 ** 31))];
  const random = randomFrom(seed);
  const figures: Figures = { kills: 0, sent: 0, acknowledged: 0, abandoned: 0, lost: 0, doubled: 0 };
  const problems: string[] = [];
  while (figures.kills < kills) {
    const account = new Account(figures);
    await killUnderLoad(Math.min(KILLS_PER_FOLDER, kills - figures.kills), account, random);
    problems.push(...account.problems);
  }
  for (const problem of problems.slice(0, PROBLEMS_SHOWN)) console.error(problem);
  console.log(`${JSON.stringify({ seed, ...figures })}`);
  return problems.length === 0 ? 0 : 1;
}

async function killUnderLoad(kills: number, account: Account, random: Random): Promise<void> {
  await withFolder(async (folder) => {
    let life = await Life.begin(folder, CLIENTS);
    const sessions = await Promise.all(life.clients.map(startSession));
    for (let kill = 0; kill < kills; kill += 1) {
      const loads = life.clients.map((client, index) => load(client, sessions[index] ?? '', account, random));
      await pause(random(LONGEST_LIFE_MS));
      await life.kill();
      account.figures.kills += 1;
      const commands = (await Promise.all(loads)).flat();
      life = await Life.begin(folder, CLIENTS);
      await Promise.all(life.clients.map((client, index) => resume(client, sessions[index] ?? '')));
      for (const command of commands) {
        const client = life.clients[sessions.indexOf(command.params.sessionId)];
        if (client !== undefined) account.replayed(command, await untilAdmitted(client, command));
      }
    }
    const views = life.clients.map(async (client, index) => {
      await untilIdle(client, sessions[index] ?? '');
      return viewOf(client, sessions[index] ?? '');
    });
    account.compare((await Promise.all(views)).flat());
    await life.kill();
  });
}

/** A session of which nothing is known but that it began would be cleared away by the next host; so it has a name. */
async function startSession(client: Client): Promise<string> {
  const { session } = await client.must('session/start', { commandId: mintUuid() });
  const sessionId = String((session as Json)['sessionId']);
  await client.must('session/rename', { sessionId, commandId: mintUuid(), name: 'under load' });
  return sessionId;
}

async function resume(client: Client, sessionId: string): Promise<void> {
  await client.must('session/resume', { sessionId, commandId: mintUuid(), excludeItems: true });
}

/** Sends commands until the server is gone, and gives them all. */
async function load(
  client: Client,
  sessionId: string,
  account: Account,
  random: Random,
): Promise<readonly Sent[]> {
  const commands: Sent[] = [];
  const stream = async () => {
    for (;;) {
      const command = newCommand(sessionId, random);
      const answer = await client.ask(command.method, command.params);
      // A server that had no room has admitted nothing, and the command may be forgotten.
      if (answer !== undefined && isBusy(answer)) continue;
      command.answer = answer;
      commands.push(command);
      account.note(command);
      if (answer === undefined) return;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, stream));
  return commands;
}

function newCommand(sessionId: string, random: Random): Sent {
  const commandId = mintUuid();
  const shared = { sessionId, commandId };
  return random(2) === 0
    ? { method: 'turn/start', params: { ...shared, input: [{ type: 'text', text: 'hello' }] } }
    : { method: 'session/rename', params: { ...shared, name: `name ${commandId}` } };
}

async function untilAdmitted(client: Client, { method, params }: Sent): Promise<Response> {
  for (;;) {
    const response = await client.ask(method, params);
    if (response === undefined) throw new Error('the server ended by itself');
    if (!isBusy(response)) return response;
    await pause(5);
  }
}

function isBusy({ error }: Response): boolean {
  return error?.data?.['kind'] === 'backpressured' || error?.data?.['kind'] === 'overloaded';
}

/** Turns that were waiting at a kill run after it. */
async function untilIdle(client: Client, sessionId: string): Promise<void> {
  for (;;) {
    const { session } = await client.must('session/read', { sessionId });
    if ((session as Json)['status'] === 'idle') return;
    await pause(20);
  }
}

async function viewOf(client: Client, sessionId: string) {
  const events: { method: string; params: Json }[] = [];
  for (let cursor: unknown; ; ) {
    const page = await client.must('view/page', { sessionId, limit: PAGE, ...(cursor ? { cursor } : {}) });
    events.push(...(page['events'] as typeof events));
    if (page['nextCursor'] === null) return events;
    cursor = page['nextCursor'];
  }
}

exitOnSignals();
process.exitCode = await main();
