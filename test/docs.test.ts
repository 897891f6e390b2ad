import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../src/checks/catalogue.js';
import { cataloguePage } from '../src/report/catalogue-page.js';

const checks = new URL('../docs/checks.md', import.meta.url);

describe('docs/checks.md', () => {
  it('is what `npm run docs:checks` writes', async () => {
    expect(await readFile(checks, 'utf8')).toBe(cataloguePage(CATALOGUE.values()));
  });

  it('has a heading for every link', async () => {
    const page = await readFile(checks, 'utf8');
    const headings = [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading.replace('/', ''));
    for (const [, target] of page.matchAll(/\]\(#([^)]*)\)/g)) expect(headings).toContain(target);
  });
});
