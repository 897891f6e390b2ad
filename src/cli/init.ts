import { access, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Command } from 'commander';
import type { CliContext } from './context.js';
import { UsageError } from './errors.js';
import { examples } from './help.js';
import { CONFIG_TEMPLATE, WORKFLOW_TEMPLATE } from './init-templates.js';

/** `init`: writes a commented config file and a CI workflow into a folder; never over what is there. */
export function defineInit(context: CliContext): Command {
  return new Command('init')
    .description('Writes a commented config file and a GitHub workflow to start from.')
    .argument('[folder]', 'where to write', '.')
    .option('--no-workflow', 'write the config file only')
    .option('--force', 'write over existing files')
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string, options: { readonly workflow: boolean; readonly force?: boolean }) => {
      const files = FILES.filter(({ isWorkflow }) => options.workflow || !isWorkflow);
      if (!options.force) await assertNoneExists(files.map(({ path }) => join(folder, path)));
      for (const { path, text } of files) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
        context.stdout(`wrote ${join(folder, path)}\n`);
      }
      context.stdout(
        'Next: say in the config file how your server is started, then msp-conformance run --target mine\n',
      );
      context.finish(0);
    });
}

const EXAMPLES = examples(
  ['init', 'start in this folder'],
  ['init server --no-workflow', 'another folder, without the workflow'],
);

const FILES = [
  { path: 'msp-conformance.config.yaml', text: CONFIG_TEMPLATE, isWorkflow: false },
  { path: join('.github', 'workflows', 'msp-conformance.yml'), text: WORKFLOW_TEMPLATE, isWorkflow: true },
] as const;

async function assertNoneExists(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    const exists = await access(path).then(
      () => true,
      () => false,
    );
    if (exists) throw new UsageError(`${path} exists already; --force writes over it.`);
  }
}
