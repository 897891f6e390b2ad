// A small server over stdio: it greets, lists no sessions, and has the bad manners that its arguments name.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [manner = 'honest', file = ''] = process.argv.slice(2);

/** How many servers have been started with this file before. */
const lives = file !== '' && existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
if (file !== '') {
  writeFileSync(file, String(lives + 1));
  writeFileSync(`${file}.pid-${lives}`, String(process.pid));
}

const GREETING = {
  serverInfo: { name: 'small', version: '1' },
  userAgent: 'small/1',
  museHome: '/home',
  platformFamily: 'unix',
  platformOs: 'linux',
  schema: { version: 1, fingerprint: `sha256:${'0'.repeat(64)}` },
  grantedCapabilities: [],
  experimentalApi: false,
  sessionDurability: 'durable',
};
const EMPTY = { sessions: [], nextCursor: null };
const isWrong = manner === 'wrong' || (manner === 'wrong-every-other-life' && lives % 2 === 1);
const isMute =
  manner === 'mute' || (manner === 'mute-at-first' && lives === 0) || (manner === 'mute-later' && lives > 0);

if (manner === 'gone') process.exit(3);
if (manner === 'lingers' || (manner === 'lingers-at-first' && lives === 0)) setInterval(() => {}, 1_000_000);

const answers = {
  initialize: () =>
    manner === 'rude'
      ? { error: { code: -32603, message: 'no', data: { kind: 'internal' } } }
      : { result: GREETING },
  'session/list': () =>
    isMute ? undefined : { result: isWrong ? { sessions: 'none', nextCursor: null } : EMPTY },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  const answer = answers[method]?.();
  if (id !== undefined && answer !== undefined)
    process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
}
