import { join } from 'node:path';
import { ReportInputError, ReportWriteError } from './errors.js';
import type { Report } from './model.js';
import { nearest } from './nearest.js';
import type { Render, RenderOptions } from './render.js';
import { appendSummary, writeFiles } from './write-files.js';

/** One `--reporter NAME[=FILE]`. */
export interface ReporterChoice {
  readonly name: ReporterName;
  /** Absent: standard output, or a file of the usual name under `--out`. */
  readonly file?: string;
}

export interface ReportDestinations {
  /** Takes what has no file; called once per reporter with the whole text. */
  readonly stdout: (text: string) => void;
  /** `--out DIR`: gets `report.json` and every reporter without a file that makes one. */
  readonly outDir?: string;
  /** `$GITHUB_STEP_SUMMARY`, to which the `github` reporter appends a job summary. */
  readonly stepSummary?: string;
}

export type ReporterName = keyof typeof REPORTERS;

/** Renderers load when they are used. Under `--out`, `fileName` is the file a reporter makes; null prints. */
const REPORTERS = {
  pretty: { fileName: null, load: async (): Promise<Render> => (await import('./pretty.js')).renderPretty },
  json: {
    fileName: 'report.json',
    load: async (): Promise<Render> => (await import('./json.js')).renderJson,
  },
  junit: {
    fileName: 'junit.xml',
    load: async (): Promise<Render> => (await import('./junit.js')).renderJunit,
  },
  tap: { fileName: 'report.tap', load: async (): Promise<Render> => (await import('./tap.js')).renderTap },
  github: { fileName: null, load: async (): Promise<Render> => (await import('./github.js')).renderGithub },
  markdown: {
    fileName: 'report.md',
    load: async (): Promise<Render> => (await import('./markdown.js')).renderMarkdown,
  },
  html: {
    fileName: 'report.html',
    load: async (): Promise<Render> => (await import('./html/html.js')).renderHtml,
  },
} as const;

export const REPORTER_NAMES = Object.keys(REPORTERS) as ReporterName[];

/** Reads `NAME` or `NAME=FILE`; throws `ReportInputError` for an unknown name or an empty file. */
export function parseReporter(text: string): ReporterChoice {
  const equals = text.indexOf('=');
  const name = equals < 0 ? text : text.slice(0, equals);
  if (!isReporterName(name)) {
    const close = nearest(name, REPORTER_NAMES);
    const hint = close === undefined ? '' : ` Did you mean ${close}?`;
    throw new ReportInputError(
      `There is no reporter ${JSON.stringify(name)}; there are ${REPORTER_NAMES.join(', ')}.${hint}`,
    );
  }
  if (equals < 0) return { name };
  const file = text.slice(equals + 1);
  if (file === '') {
    throw new ReportInputError(
      `--reporter ${text} names no file: write ${name}=FILE, or ${name} for standard output.`,
    );
  }
  return { name, file };
}

/**
 * Renders and writes. Files are written aside and renamed together, so that a reader never meets half a report.
 * When no reporter prints, `pretty` does: a run always says how it ended. Throws `ReportWriteError`.
 */
export async function writeReports(
  report: Report,
  choices: readonly ReporterChoice[],
  destinations: ReportDestinations,
  options: RenderOptions,
): Promise<void> {
  const { outDir, stdout, stepSummary } = destinations;
  const placed = choices.map((choice) => place(choice, outDir));
  const wanted = placed.some(({ file }) => file === undefined)
    ? placed
    : [...placed, { name: 'pretty' as const }];
  const inOut = outDir === undefined ? [] : [{ name: 'json' as const, file: join(outDir, 'report.json') }];
  const files = new Map<string, string>();
  for (const { name, file } of [...inOut, ...wanted]) {
    if (file !== undefined) files.set(file, await render(name, report, options));
  }
  await writeFiles(files, outDir);
  for (const { name, file } of wanted) {
    if (file === undefined) stdout(await render(name, report, options));
  }
  if (stepSummary !== undefined && choices.some(({ name }) => name === 'github')) {
    await appendSummary(stepSummary, await render('markdown', report, options));
  }
}

function place(choice: ReporterChoice, outDir: string | undefined): ReporterChoice {
  const { fileName } = REPORTERS[choice.name];
  if (choice.file !== undefined || outDir === undefined || fileName === null) return choice;
  return { ...choice, file: join(outDir, fileName) };
}

async function render(name: ReporterName, report: Report, options: RenderOptions): Promise<string> {
  try {
    const renderer = await REPORTERS[name].load();
    return renderer(report, options);
  } catch (error) {
    throw new ReportWriteError(`The ${name} report could not be rendered: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function isReporterName(name: string): name is ReporterName {
  return Object.hasOwn(REPORTERS, name);
}
