import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InputError } from './errors.js';
import { bundledScenariosFolder, findScenarios } from './find-scenarios.js';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
});

afterEach(() => rm(folder, { recursive: true }));

async function touch(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), '');
  }
}

function find(...paths: readonly string[]): Promise<string[]> {
  return findScenarios(paths.map((path) => join(folder, path)));
}

describe('findScenarios', () => {
  it('takes scenario folders, transcript files and folders of scenario folders, sorted by id, each once', async () => {
    await touch('all/b/transcript.ndjson', 'all/a/transcript.jsonl', 'all/broken/manifest.json');
    await touch('all/README.md', 'all/notes/x.txt', 'all/.hidden/transcript.ndjson', 'alone.ndjson');
    await touch('0/transcript.ndjson');
    expect(
      await find('all', 'alone.ndjson', '0/transcript.ndjson', 'all/b', 'all/b/transcript.ndjson'),
    ).toEqual(['0', 'all/a', 'alone.ndjson', 'all/b', 'all/broken'].map((path) => join(folder, path)));
  });

  it('is not held up by symbolic links in a circle, links to nowhere or FIFOs', async () => {
    await touch('all/a/transcript.ndjson');
    await symlink(join(folder, 'all'), join(folder, 'all/up'));
    await symlink('self', join(folder, 'all/self'));
    await symlink('nowhere', join(folder, 'all/nowhere'));
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(folder, 'all/fifo')]);
    expect(await find('all')).toEqual([join(folder, 'all/a')]);
    await expect(find('all/self')).rejects.toThrow('its symbolic links go round in a circle');
  });

  it('refuses a folder without scenarios, saying where it looked', async () => {
    await mkdir(join(folder, 'empty'));
    const error = await find('empty').catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(InputError);
    expect((error as InputError).message).toBe(
      `${join(folder, 'empty')}: holds no scenario; expected transcript.ndjson or transcript.jsonl in it or in a folder directly below it`,
    );
  });

  it('refuses what is not there, and two scenarios of one id', async () => {
    await touch('x/a/transcript.ndjson', 'y/a/transcript.ndjson');
    await expect(find('absent')).rejects.toThrow('cannot be read: no such file or folder');
    await expect(find('x', 'y')).rejects.toThrow('has the same scenario id "a" as');
  });
});

describe('bundledScenariosFolder', () => {
  it('is the folder beside the sources', () => {
    expect(basename(bundledScenariosFolder())).toBe('scenarios');
    expect(dirname(bundledScenariosFolder())).toBe(dirname(dirname(import.meta.dirname)));
  });
});
