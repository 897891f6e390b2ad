import { relative } from 'node:path';
import { Command } from 'commander';
import { forTerminal } from '../report/escape.js';
import type { CliContext } from './context.js';
import { ExitCode } from './exit-codes.js';
import { examples } from './help.js';
import { type Problem, problemsOf, renderJson, renderPretty } from './validate-output.js';
import type { ValidatedTranscript } from './validate-transcript.js';

/** `validate`: checks transcripts offline. */
export function defineValidate(context: CliContext): Command {
  return new Command('validate')
    .description('Checks transcripts without a server: frames, ids, schema, lifecycle, replays within them.')
    .argument('<path...>', 'scenario folders, folders of them, or transcript files')
    .option('--schema <file>', 'the schema bundle to check against (default: the bundled one)')
    .option('--strict', 'warnings fail too')
    .option('--json', 'print one JSON object')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: string[], options: ValidateOptions) => {
      context.finish(await validateCommand(paths, options, context));
    });
}

export interface ValidateOptions {
  readonly schema?: string;
  readonly strict?: boolean;
  readonly json?: boolean;
}

/**
 * Validates every scenario at the paths and prints what was found. Gives the exit code: 0, 1 for a violation, 2 when
 * a transcript could not be read; the others are still checked.
 * @throws InputError when a path holds no scenario, BundleError when the bundle is unusable
 */
export async function validateCommand(
  paths: readonly string[],
  options: ValidateOptions,
  output: Pick<CliContext, 'stdout' | 'stderr' | 'colorLevel'>,
): Promise<number> {
  const { bundledSchemaPath, loadBundle } = await import('../schema/load-bundle.js');
  const { findScenarios } = await import('../transcript/find-scenarios.js');
  const bundle = await loadBundle(options.schema ?? bundledSchemaPath());
  const results: ValidatedTranscript[] = [];
  let isReadable = true;
  for (const path of await findScenarios(paths)) {
    const result = await validateOne(path, bundle, output.stderr);
    if (result === undefined) isReadable = false;
    else results.push(withShownPaths(result));
  }
  const problems = results.flatMap(problemsOf);
  output.stdout(
    options.json
      ? renderJson(results, problems, isReadable)
      : renderPretty(results, problems, isReadable, output.colorLevel),
  );
  if (!isReadable) return ExitCode.usage;
  return problems.some((problem) => fails(problem, options.strict === true))
    ? ExitCode.violation
    : ExitCode.conformant;
}

const EXAMPLES = examples(
  ['validate my/scenarios', 'every scenario in a folder'],
  ['validate session.ndjson --json', 'one recording, for a program'],
);

async function validateOne(
  path: string,
  bundle: Parameters<typeof import('./validate-transcript.js').validateTranscript>[1],
  stderr: CliContext['stderr'],
): Promise<ValidatedTranscript | undefined> {
  const { validateTranscript } = await import('./validate-transcript.js');
  const { InputError } = await import('../transcript/errors.js');
  try {
    return await validateTranscript(path, bundle);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    stderr(`error: ${forTerminal(error.message)}\n`);
    return undefined;
  }
}

function fails({ status }: Problem, isStrict: boolean): boolean {
  return status === 'failed' || (isStrict && status === 'warned');
}

function withShownPaths({ manifest, ...result }: ValidatedTranscript): ValidatedTranscript {
  const shown = { ...result, file: shownPath(result.file) };
  return manifest === undefined
    ? shown
    : { ...shown, manifest: { ...manifest, file: shownPath(manifest.file) } };
}

/** Relative to the working folder where that is shorter to read. */
function shownPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.length > 0 && fromHere.length < path.length ? fromHere : path;
}
