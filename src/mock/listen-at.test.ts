import { mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listenAt } from './listen-at.js';

describe.skipIf(process.platform === 'win32')('a Unix socket that is listened at', () => {
  it('is its owner’s alone, whatever the mask of the process', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
    const path = join(folder, 'socket');
    const server = createServer();
    try {
      await listenAt(server, { kind: 'unix', path });
      expect((await stat(path)).mode & 0o777).toBe(0o600);
      await expect(listenAt(createServer(), { kind: 'unix', path })).rejects.toThrow(/EADDRINUSE/);
    } finally {
      server.close();
      await rm(folder, { recursive: true });
    }
  });
});
