import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from './config.js';
import type { CliContext } from './context.js';
import { defineInit } from './init.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function init(...words: string[]): Promise<string> {
  let printed = '';
  const context: CliContext = {
    stdout: (text) => {
      printed += text;
    },
    stderr: () => {},
    env: {},
    colorLevel: 0,
    width: 80,
    serverCommand: undefined,
    finish: () => {},
  };
  await defineInit(context).parseAsync([folder, ...words], { from: 'user' });
  return printed;
}

const CONFIG = 'msp-conformance.config.yaml';
const WORKFLOW = '.github/workflows/msp-conformance.yml';

describe('init', () => {
  it('writes a config file that loads and a workflow that is YAML', async () => {
    expect(await init()).toContain(`wrote ${join(folder, CONFIG)}`);
    const config = readConfig(await readFile(join(folder, CONFIG), 'utf8'), CONFIG);
    expect(config.targets['mine']).toEqual({ command: ['node', 'server.js'] });
    expect(parse(await readFile(join(folder, WORKFLOW), 'utf8'))).toHaveProperty('jobs.conformance.steps');
  });

  it('has examples in its comments that load when they are uncommented', async () => {
    await init('--no-workflow');
    const text = await readFile(join(folder, CONFIG), 'utf8');
    const lively = text
      .replace(/^( *)# (?=(env|behaviours|strict|timeout|expected-failures|reporter):)/gm, '$1')
      .replace(/^( {4})# {3}(?=(slow|fail|approval|question|echo):)/gm, '$1  ');
    const { targets, defaults } = readConfig(lively, CONFIG);
    expect(Object.keys(targets['mine']?.behaviours ?? {})).toEqual([
      'slow',
      'fail',
      'approval',
      'question',
      'echo',
    ]);
    expect(Object.keys(defaults)).toEqual(['target', 'expected-failures', 'strict', 'timeout', 'reporter']);
  });

  it('writes over nothing unless told to', async () => {
    await init('--no-workflow');
    await expect(init()).rejects.toThrow(/msp-conformance\.config\.yaml exists already; --force/);
    await init('--force');
    expect(await readFile(join(folder, WORKFLOW), 'utf8')).toContain('npx --yes msp-conformance run');
  });
});
