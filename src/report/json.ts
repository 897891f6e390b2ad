import { forJson } from './escape.js';
import type { Report } from './model.js';

/** The report file itself, indented by two; its schema is `schema/report.schema.json`. */
export function renderJson(report: Report): string {
  return `${forJson(JSON.stringify(report, null, 2))}\n`;
}
