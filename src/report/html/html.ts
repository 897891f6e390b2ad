import { createHash } from 'node:crypto';
import type { Report } from '../model.js';
import { problemsOf } from '../problems.js';
import { failuresSection } from './failures.js';
import { filterForm } from './filter.js';
import { html, Markup } from './markup.js';
import { matrixSection } from './matrix.js';
import { remarksSections } from './remarks.js';
import { scenariosSection } from './scenarios.js';
import { SCRIPT } from './script.js';
import { STYLE } from './style.js';
import { summarySection } from './summary.js';

/**
 * The report as one HTML file for a person who did not run it: no network, readable without scripts. Style and
 * script are named by their hashes in the page's policy, so that nothing else in the file can ever run.
 */
export function renderHtml(report: Report): string {
  const problems = problemsOf(report);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>MSP conformance: ${report.verdict} · ${report.target.serverInfo?.name ?? report.target.label}</title>
<style>${STYLE_SOURCE}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the results</a>
${summarySection(report, problems)}
<main id="main">
${filterForm()}
${matrixSection(report, problems)}
${failuresSection(report, problems)}
${remarksSections(report, problems)}
${scenariosSection(report)}
</main>
<script>${SCRIPT_SOURCE}</script>
</body>
</html>
`;
  return page.source;
}

const STYLE_SOURCE = new Markup(STYLE);
const SCRIPT_SOURCE = new Markup(SCRIPT);
const POLICY = `default-src 'none'; style-src '${hashOf(STYLE)}'; script-src '${hashOf(SCRIPT)}'; base-uri 'none'; form-action 'none'`;

function hashOf(source: string): string {
  return `sha256-${createHash('sha256').update(source).digest('base64')}`;
}
