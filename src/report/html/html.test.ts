import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  checkOf,
  failedCheckOf,
  HOSTILE_STRINGS,
  hostileReport,
  mixedReport,
  reportOf,
  scenarioOf,
} from '../../../test/report/sample-report.js';
import { coverageOf } from '../coverage.js';
import { frameLabel } from './frame-label.js';
import { renderHtml } from './html.js';
import { html } from './markup.js';

const page = renderHtml(mixedReport());

describe('the HTML report', () => {
  it.each([
    ['the verdict', '> nonconformant</span></h1>'],
    ['what is broken', '1 rule is broken, in 1 scenario.'],
    ['the server', 'demo-server 2.3.1 · node server.js, stdio, durable'],
    ['the totals', '<b>1</b> <span><span aria-hidden="true">✘</span> failed</span>'],
    [
      'the matrix, leading to the failure',
      '<a href="#check-1-1"><span class="status failed" title="failed">',
    ],
    ['the failure', '<details class="card failed" id="check-1-1" data-item="failed" open>'],
    ['the rule', '<b>Rule</b> MSP commands: exactly-once effect'],
    [
      'the differences side by side',
      '<td class="expected"><code><del>&quot;0198f0aa-01&quot;</del></code></td><td class="actual"><code><ins>&quot;0198f0aa-02&quot;</ins></code></td>',
    ],
    ['the frames', '<span class="heard">client to server: </span>turn/start #5'],
    [
      'the harness',
      '<span class="heard">the harness: </span><span aria-hidden="true">⟲</span> start node server.js',
    ],
    [
      'the command to repeat it',
      '<pre class="command" tabindex="0">msp-conformance run --only &#39;text-run',
    ],
    ['what did not apply', '<code>approval-round-trip</code> the target names no behaviour'],
    ['what errored', 'the server did not start within 10 s'],
  ])('shows %s', (_, source) => {
    expect(page).toContain(source);
  });

  it('tells a failure that was expected from a pass', () => {
    const expectedFailure = { match: 'a', reason: 'ledger rewrite' };
    const shown = renderHtml(reportOf([scenarioOf({ checks: [failedCheckOf({ expectedFailure })] })]));
    expect(shown).toContain(
      '<summary><span class="status expected"><span aria-hidden="true">⊘</span> failed as expected</span> <b>text-run-single-turn</b>',
    );
  });

  it('needs no network and runs nothing but its own script', () => {
    expect(page).not.toMatch(/(src|href)="(?!#)|url\(|@import|\son\w+=/);
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(page) ?? [];
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(page) ?? [];
    for (const source of [script, style]) {
      expect(page).toContain(`sha256-${createHash('sha256').update(source).digest('base64')}`);
    }
  });

  it('names every place once', () => {
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of page.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target);
  });

  it('leads to no card that is not there, however much failed', () => {
    const failing = Array.from({ length: 40 }, (_, i) =>
      scenarioOf({
        id: `s${i}`,
        status: 'failed',
        checks: Array.from({ length: 10 }, (_, j) => failedCheckOf({ method: `m/${i}-${j}` })),
      }),
    );
    const full = renderHtml(reportOf(failing, { coverage: { methods: coverageOf(failing, []) } }));
    expect(full).toContain('200 more failures in the list of scenarios below');
    for (const [, target] of full.matchAll(/href="#([^"]*)"/g)) expect(full).toContain(`id="${target}"`);
  });

  it('stays small with 5,000 checks', () => {
    const many = Array.from({ length: 100 }, (_, i) =>
      scenarioOf({
        id: `s${i}`,
        checks: Array.from({ length: 50 }, (_, j) => checkOf({ id: `wire/rule-${j}` })),
      }),
    );
    expect(renderHtml(reportOf(many)).length).toBeLessThan(3_000_000);
  });

  it.each(HOSTILE_STRINGS)('keeps %j text', (text) => {
    const hostile = renderHtml(hostileReport(text));
    const elements = (source: string) => source.match(/<\/?[a-z][^\s>]*/gi)?.length;
    expect(hostile.match(/<script|<\/style|<img|<!--/g)).toEqual(['</style', '<script']);
    // The same report with a harmless string has the same elements, up to those that its length decides.
    expect(elements(renderHtml(hostileReport(text.replace(/[<>"'&]/g, '_'))))).toBe(elements(hostile));
    expect(hostile).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]|\p{Surrogate}/u);
  });
});

describe('markup', () => {
  it('escapes every value that is not markup', () => {
    expect(html`<a title="${'"<'}">${['&', html`<b>${1}</b>`, undefined]}</a>`.source).toBe(
      '<a title="&quot;&lt;">&amp;<b>1</b></a>',
    );
  });
});

describe('the label of a frame', () => {
  it.each([
    [
      '{"id":5,"method":"turn/start","params":{"commandId":"0198f0aa-6789ab"}}',
      'turn/start #5 command …6789ab',
    ],
    ['{"id":"5","result":{"commandId":"0198f0aa-6789ab"}}', 'result #"5" command …6789ab'],
    [
      '{"id":null,"error":{"code":-32030,"data":{"kind":"commandRejected","reason":"command_id_conflict"}}}',
      'error -32030 commandRejected command_id_conflict #null',
    ],
    ['{"method":"turn/started"}', 'turn/started'],
    ['{"error":"x","id":1}', 'error #1'],
    ['not json', 'not json'],
    ['[1]', '[1]'],
  ])('%s', (raw, label) => {
    expect(frameLabel(raw)).toBe(label);
  });
});
