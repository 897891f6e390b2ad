import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('../bin/msp-conformance.js', import.meta.url));

/** Far more than a pipe holds, far fewer requests than the server lets wait. */
const REQUESTS = 1000;

it('the reference server waits for a client that does not read for a while', async () => {
  const stateDir = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  const server = spawn(process.execPath, [PROGRAM, 'serve', '--state', stateDir], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  try {
    const exited = once(server, 'exit');
    const lines = [
      { id: 0, method: 'initialize', params: { clientInfo: { name: 'slow', version: '1.0.0' } } },
      { method: 'initialized' },
      ...Array.from({ length: REQUESTS }, (_, index) => ({
        id: index + 1,
        method: 'model/list',
        params: {},
      })),
    ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    await new Promise((resolve) => server.stdin.write(lines.join(''), resolve));
    let text = '';
    for await (const chunk of server.stdout.setEncoding('utf8')) {
      text += chunk;
      if (text.includes(`"id":${REQUESTS},`)) server.stdin.end();
    }
    const ids = text
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect(ids).toEqual(Array.from({ length: REQUESTS + 1 }, (_, index) => index));
    expect(await exited).toEqual([0, null]);
  } finally {
    server.kill('SIGKILL');
    await rm(stateDir, { recursive: true, force: true });
  }
});
