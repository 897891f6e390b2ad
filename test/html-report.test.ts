import { accessSync, constants } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coverageOf } from '../src/report/coverage.js';
import { renderHtml } from '../src/report/html/html.js';
import type { Report } from '../src/report/model.js';
import {
  checkOf,
  failedCheckOf,
  hostileReport,
  mixedReport,
  reportOf,
  scenarioOf,
} from './report/sample-report.js';

const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 390, height: 844 };

const executablePath = findOnPath(['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']);

describe.skipIf(executablePath === undefined)(
  'the HTML report in a browser (skipped: no Chromium on PATH)',
  () => {
    let browser: Browser;
    let folder: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'msp-conformance-'));
      browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox'] });
    });
    afterAll(async () => {
      await browser?.close();
      await rm(folder, { recursive: true, force: true });
    });

    /** Opens a report as a file, as a person would. */
    async function open(report: Report, options: BrowserContextOptions = {}): Promise<Page> {
      const file = join(folder, 'report.html');
      await writeFile(file, renderHtml(report));
      const page = await browser.newPage({ viewport: WIDE, ...options });
      await page.goto(`file://${file}`);
      return page;
    }

    describe.each([
      ['wide', WIDE],
      ['narrow', NARROW],
    ])('%s', (_, viewport) => {
      it('has no serious accessibility violation, light or dark, and does not scroll sideways', async () => {
        const page = await open(withWarningAndFlaky(), { viewport });
        await page.evaluate(axe.source);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const violations = await page.evaluate<readonly Violation[]>(AXE_RUN);
          expect(violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')).toEqual(
            [],
          );
        }
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(
          viewport.width,
        );
        await page.close();
      });
    });

    it('asks nobody for anything', async () => {
      const page = await open(mixedReport());
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.reload();
      expect(requests).toEqual([page.url()]);
      await page.close();
    });

    it('keeps what a server calls itself text', async () => {
      const name =
        '</style><script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">';
      const page = await open(hostileReport(name));
      expect(await page.title()).toContain('MSP conformance: nonconformant');
      expect(await page.locator('script').count()).toBe(1);
      expect(await page.locator('img').count()).toBe(0);
      expect(await page.locator('.facts').textContent()).toContain(name);
      await page.close();
    });

    it('is whole without scripts', async () => {
      const page = await open(mixedReport(), { javaScriptEnabled: false });
      expect(await page.getByText('Rule MSP commands: exactly-once effect').first().isVisible()).toBe(true);
      expect(await page.getByRole('search').isVisible()).toBe(false);
      await page.close();
    });

    it('leads from a cell of the matrix to its failure by keyboard alone', async () => {
      const page = await open(mixedReport());
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.className')).toBe('skip');
      await page.locator('.card.failed > summary').first().click();
      await page.locator('.matrix a').first().focus();
      await page.keyboard.press('Enter');
      await page.locator('summary:focus').waitFor();
      const card = page.locator('.card.failed').first();
      expect(await card.getAttribute('open')).toBe('');
      await page.keyboard.press('Enter');
      expect(await card.getAttribute('open')).toBeNull();
      await page.close();
    });

    it('copies the command that repeats a failure', async () => {
      const page = await open(mixedReport());
      const button = page.getByRole('button', { name: 'Copy the command' }).first();
      await button.click();
      await page.locator('.again button').filter({ hasText: 'Copied' }).first().waitFor();
      await page.close();
    });

    it('prints every failure unfolded and no controls', async () => {
      const page = await open(mixedReport());
      await page.emulateMedia({ media: 'print' });
      expect(await page.getByRole('search').isVisible()).toBe(false);
      await page.evaluate("dispatchEvent(new Event('beforeprint'))");
      expect(await page.locator('details.card:not([open])').count()).toBe(0);
      await page.close();
    });

    describe('with 5,000 checks', () => {
      it('stays small and filters by words and by status', async () => {
        const page = await open(large());
        expect(await page.locator('*').count()).toBeLessThan(80_000);
        const rows = () => page.locator('.checks tr[data-item]:not([hidden])').count();
        const counted = (text: string) =>
          page
            .locator('output')
            .filter({ hasText: new RegExp(`^${text}$`) })
            .waitFor({ state: 'attached' });
        expect(await rows()).toBe(5_000);

        await page.getByRole('searchbox').fill('scenario-7 rule-3');
        await counted('121 checks');
        expect(await rows()).toBe(121);
        expect(await page.locator('.scenario:not([hidden])').count()).toBe(11);

        await page.getByRole('checkbox', { name: 'passed' }).uncheck();
        await counted('11 checks');
        await page.getByRole('searchbox').fill('');
        await counted('100 checks');
        await page.getByRole('searchbox').fill('nothing like this');
        await counted('0 checks');
        expect(await page.locator('.card:not([hidden])').count()).toBe(0);
        expect(await page.locator('[data-group]:not([hidden])').count()).toBe(0);
        await page.close();
      });
    });
  },
);

const AXE_RUN = `axe.run().then(({ violations }) =>
  violations.map(({ id, impact, nodes }) => ({ id, impact, at: nodes.map(({ target }) => String(target)) })))`;

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly at: readonly string[];
}

/** 100 scenarios of 50 checks; one check of each fails. */
function large(): Report {
  const scenarios = Array.from({ length: 100 }, (_, i) =>
    scenarioOf({
      id: `scenario-${i}`,
      status: 'failed',
      checks: Array.from({ length: 50 }, (_, j) =>
        j === 3 ? failedCheckOf({ id: `wire/rule-${j}` }) : checkOf({ id: `wire/rule-${j}` }),
      ),
    }),
  );
  return reportOf(scenarios, { coverage: { methods: coverageOf(scenarios, ['turn/start']) } });
}

/** A run with one of everything that a page can show. */
function withWarningAndFlaky(): Report {
  const report = mixedReport();
  const flaky = scenarioOf({
    id: 'flaky',
    checks: [
      checkOf({ flaky: ['passed', 'failed'] }),
      failedCheckOf({ expectedFailure: { match: 'flaky', reason: 'known', issue: 'https://example.org/1' } }),
    ],
  });
  return reportOf([...report.scenarios, flaky]);
}

function findOnPath(names: readonly string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.flatMap((path) => names.map((name) => join(path, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
