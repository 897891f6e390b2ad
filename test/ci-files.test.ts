import { type ExecFileException, execFile } from 'node:child_process';
import { chmod, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '..');
const program = join(root, 'bin', 'msp-conformance.js');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
  await cp(join(import.meta.dirname, 'everyday', 'scenarios'), join(folder, 'my scenarios'), {
    recursive: true,
  });
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('action.yml', () => {
  it('runs a server with options whose quotes hold, and writes every report', async () => {
    const run = await stepOfAction('Run', {
      MSP_COMMAND: `node "${program}" serve`,
      MSP_ARGS: `--scenarios 'my scenarios' --passes none`,
    });
    expect(run.stdout).toContain('CONFORMANT');
    expect(run.code).toBe(0);
    expect((await readdir(join(folder, 'reports'))).sort()).toEqual([
      'junit.xml',
      'report.html',
      'report.json',
    ]);
  });

  it('fails when the server breaks a promise, and annotates', async () => {
    const run = await stepOfAction('Run', {
      MSP_COMMAND: `node ${program} serve --fault carriage-returns`,
      MSP_ARGS: `--scenarios 'my scenarios' --passes none`,
    });
    expect(run.stdout).toMatch(/^::error title=one-turn wire\/no-carriage-return::/m);
    expect(run.code).toBe(1);
  });

  it('never reads an input as code', async () => {
    const run = await stepOfAction('Run', {
      MSP_COMMAND: '$(touch owned) `touch owned`; touch owned',
      MSP_ARGS: `--scenarios 'my scenarios' --passes none --start-timeout 2000`,
    });
    expect(run.code).toBe(3);
    expect(await readdir(folder)).not.toContain('owned');
  });

  it('declares every input that its steps use', async () => {
    const source = await readFile(join(root, 'action.yml'), 'utf8');
    const { inputs } = parse(source) as { readonly inputs: Readonly<Record<string, unknown>> };
    const used = [...source.matchAll(/inputs\.([\w-]+)/g)].map(([, name]) => name);
    expect(new Set(used)).toEqual(new Set(Object.keys(inputs)));
  });
});

describe('what init writes', () => {
  it('runs as it stands once the server is there', async () => {
    await execute(process.execPath, [program, 'init', folder], {});
    await writeFile(
      join(folder, 'server.js'),
      `process.argv.splice(2, 0, 'serve');\nimport(${JSON.stringify(program)});\n`,
    );
    await writeFile(
      join(folder, 'npx'),
      `#!/bin/sh\nshift 2\nexec node '${program}' "$@" --scenarios 'my scenarios' --passes none\n`,
    );
    await chmod(join(folder, 'npx'), 0o755);
    const workflow = parse(
      await readFile(join(folder, '.github/workflows/msp-conformance.yml'), 'utf8'),
    ) as Workflow;
    const step = workflow.jobs['conformance']?.steps.find(({ name }) => name === 'Run');

    const run = await execute('bash', ['-e', '-c', step?.run ?? ''], {
      PATH: `${folder}${delimiter}${process.env['PATH']}`,
    });
    expect(run.stdout).toContain('CONFORMANT');
    expect(run.code).toBe(0);
    expect((await readdir(join(folder, 'reports'))).sort()).toEqual([
      'junit.xml',
      'report.html',
      'report.json',
    ]);
  });
});

interface Step {
  readonly name?: string;
  readonly run?: string;
}

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

/** Runs a step of the action as a runner would: bash that stops at the first error, inputs in variables. */
async function stepOfAction(name: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  const action = parse(await readFile(join(root, 'action.yml'), 'utf8')) as {
    readonly runs: { readonly steps: Step[] };
  };
  const step = action.runs.steps.find((each) => each.name === name);
  const flags = ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c'];
  return execute('bash', [...flags, step?.run ?? ''], {
    GITHUB_ACTION_PATH: root,
    MSP_VERSION: '',
    MSP_REPORTS: join(folder, 'reports'),
    ...env,
  });
}

interface Ended {
  readonly code: number;
  readonly stdout: string;
}

function execute(
  file: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  return new Promise((resolve) => {
    const done = (error: ExecFileException | null, stdout: string) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout });
    execFile(file, words, { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 1e8 }, done);
  });
}
