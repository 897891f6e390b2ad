// Writes docs/checks.md from the built catalogue: `npm run docs:checks`.
import { writeFileSync } from 'node:fs';
import { CATALOGUE } from '../dist/checks/catalogue.js';
import { cataloguePage } from '../dist/report/catalogue-page.js';

writeFileSync(new URL('../docs/checks.md', import.meta.url), cataloguePage(CATALOGUE.values()));
