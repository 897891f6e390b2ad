import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ReportInputError } from './errors.js';
import { forTerminal } from './escape.js';
import type { Report } from './model.js';
import { readYaml } from './yaml-source.js';

/** Reads a JSON report file. Throws `ReportInputError` with file, line and column when it is none. */
export async function readReport(file: string): Promise<Report> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new ReportInputError(`${forTerminal(file)}: cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
  return parseReport(text, file);
}

/** Reads the text of a JSON report; `file` names it in errors. */
export function parseReport(text: string, file: string): Report {
  const value = parseJson(text.replace(/^\ufeff/, ''), file);
  const validate = new Ajv2020({ allowUnionTypes: true, validateFormats: false }).compile(reportSchema());
  if (validate(value)) return value as Report;
  const [problem] = validate.errors ?? [];
  throw new ReportInputError(
    `${placeOf(problem, text, file)}: ${sentence(problem)} Give a file that --reporter json=FILE wrote.`,
  );
}

/** The schema of the report file, which ships with the package. */
export function reportSchema(): Record<string, unknown> {
  const path = fileURLToPath(new URL('../../schema/report.schema.json', import.meta.url));
  return JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
}

function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { message } = error as Error;
    // JSON is YAML, whose parser knows the line; where it has no objection the end of the file is missing.
    readYaml(
      text,
      forTerminal(file),
      (problem) => new ReportInputError(`${problem} (this is no JSON report)`),
    );
    throw new ReportInputError(`${forTerminal(file)}: this is no JSON: ${forTerminal(message)}`, {
      cause: error,
    });
  }
}

function placeOf(problem: ErrorObject | undefined, text: string, file: string): string {
  const path = (problem?.instancePath ?? '')
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((name) => (/^\d+$/.test(name) ? Number(name) : name));
  return readYaml(text, forTerminal(file), (message) => new ReportInputError(message)).at(path);
}

function sentence(problem: ErrorObject | undefined): string {
  const where = problem?.instancePath || 'the file';
  const params = problem?.params as { allowedValues?: unknown; allowedValue?: unknown } | undefined;
  const allowed = params?.allowedValues ?? params?.allowedValue;
  const choice = allowed === undefined ? '' : ` (${JSON.stringify(allowed)})`;
  return `${forTerminal(where)} ${problem?.message ?? 'is no report'}${choice}.`;
}
