import { Command } from 'commander';
import { mergeReports } from '../report/merge.js';
import { readReport } from '../report/read-report.js';
import { parseReporter, REPORTER_NAMES, type ReporterChoice } from '../report/reporters.js';
import { exitCodeOf } from '../report/verdict.js';
import type { CliContext } from './context.js';
import { examples } from './help.js';
import { printReport } from './print-report.js';

/** `report`: renders JSON reports again; several files are the shards of one run. The exit code is the verdict's. */
export function defineReport(context: CliContext): Command {
  return new Command('report')
    .description('Renders a JSON report again, or merges the shards of one run into the report of the whole.')
    .argument('<report.json...>', 'files that --reporter json=FILE or --out wrote')
    .option(
      '--reporter <name[=file]>',
      `${REPORTER_NAMES.join(', ')} (repeatable; default: pretty)`,
      reporter,
    )
    .option('--out <dir>', 'write report.json there, and every report without a file of its own')
    .option('--quiet', 'print only failures and the verdict')
    .option('--verbose', 'print notes and whole frames')
    .addHelpText('after', EXAMPLES)
    .action(async (files: readonly string[], options: ReportOptions) => {
      const reports = await Promise.all(files.map((file) => readReport(file)));
      const [only] = reports;
      const report = reports.length === 1 && only !== undefined ? only : mergeReports(reports);
      await printReport(
        report,
        {
          reporters: options.reporter ?? [],
          outDir: options.out,
          quiet: options.quiet ?? false,
          verbose: options.verbose ?? false,
        },
        context,
      );
      context.finish(exitCodeOf(report));
    });
}

interface ReportOptions {
  readonly reporter?: readonly ReporterChoice[];
  readonly out?: string;
  readonly quiet?: boolean;
  readonly verbose?: boolean;
}

const EXAMPLES = examples(
  ['report reports/report.json', 'read a run’s report at the terminal'],
  ['report shard-*.json --reporter junit=junit.xml --out merged', 'one report of a run that was sharded'],
);

function reporter(text: string, before: readonly ReporterChoice[] = []): readonly ReporterChoice[] {
  return [...before, parseReporter(text)];
}
