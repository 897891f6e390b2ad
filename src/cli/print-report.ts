import type { Report } from '../report/model.js';
import { type ReporterChoice, writeReports } from '../report/reporters.js';
import type { CliContext } from './context.js';

/** What decides where and how reports are written. */
export interface PrintOptions {
  readonly reporters: readonly ReporterChoice[];
  readonly outDir: string | undefined;
  readonly quiet: boolean;
  readonly verbose: boolean;
}

/** Writes a report's reporters with the terminal's colour and width. Throws `ReportWriteError`. */
export async function printReport(report: Report, options: PrintOptions, context: CliContext): Promise<void> {
  const stepSummary = context.env['GITHUB_STEP_SUMMARY'];
  await writeReports(
    report,
    options.reporters,
    {
      stdout: context.stdout,
      ...(options.outDir === undefined ? {} : { outDir: options.outDir }),
      ...(stepSummary ? { stepSummary } : {}),
    },
    { colorLevel: context.colorLevel, width: context.width, quiet: options.quiet, verbose: options.verbose },
  );
}
