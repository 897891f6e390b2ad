/** The page's style sheet: system fonts, light and dark, narrow and wide, paper. */
export const STYLE = `
:root { color-scheme: light dark; --page: #fff; --card: #f6f7f9; --line: #d5d9e0; --text: #1b1f27; --faint: #555d6b; --link: #0b57c2;
  --good: #0b6b33; --good-soft: #dff3e6; --bad: #a8161b; --bad-soft: #fce4e4; --warn: #7a4b00; --warn-soft: #fdf0d2; --odd: #6b21a8; --odd-soft: #f0e4fb; }
@media (prefers-color-scheme: dark) { :root { --page: #14171c; --card: #1d2128; --line: #3a414d; --text: #e6e9ee; --faint: #a7afbd; --link: #8ab8ff;
  --good: #7bdc9f; --good-soft: #143822; --bad: #ff9a9a; --bad-soft: #45191b; --warn: #f5c766; --warn-soft: #3d2d0c; --odd: #d3a8ff; --odd-soft: #35204d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem clamp(0.75rem, 3vw, 2rem) 4rem; background: var(--page); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--link); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; } .skip:focus { left: 1rem; }
.heard { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
code, pre, .matrix th, .checks td { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; font-size: 0.875rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.25rem 0; padding: 0.5rem; background: var(--page); border: 1px solid var(--line); border-radius: 0.375rem; max-height: 24rem; overflow: auto; }
h1 { margin: 0.25rem 0; font-size: 1.75rem; line-height: 1.2; } h2 { font-size: 1.2rem; margin: 2rem 0 0.5rem; } h3 { font-size: 1rem; margin: 1rem 0 0.25rem; }
.tool, .hint, .place, .time, dt { color: var(--faint); } .tool { margin: 0; }
.hint { margin: 0.25rem 0; }
.verdict { display: inline-block; padding: 0.25rem 0.75rem; border-radius: 0.5rem; text-transform: capitalize; }
.verdict.conformant { background: var(--good-soft); color: var(--good); } .verdict.nonconformant { background: var(--bad-soft); color: var(--bad); } .verdict.incomplete { background: var(--warn-soft); color: var(--warn); }
.lead { font-size: 1.125rem; margin: 0.5rem 0; }
.broken { margin: 0 0 1rem; padding-left: 1.25rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(15rem, 1fr)); gap: 0.5rem 1.5rem; margin: 1rem 0; } .facts div { min-width: 0; } .facts dd { margin: 0; overflow-wrap: anywhere; }
.totals { display: flex; flex-wrap: wrap; gap: 0 2rem; } .totals h2 { margin: 0.5rem 0 0.25rem; font-size: 1rem; }
.tiles, .legend, .remarks, .sequence ol { list-style: none; margin: 0; padding: 0; }
.tiles { display: flex; flex-wrap: wrap; gap: 0.5rem; } .tiles li { border: 1px solid var(--line); border-radius: 0.5rem; padding: 0.25rem 0.75rem; } .tiles b { font-size: 1.25rem; } .tiles .zero { color: var(--faint); }
.tiles .passed, .status.passed { color: var(--good); } .tiles .failed, .status.failed { color: var(--bad); } .tiles .warned, .status.warned, .status.expected { color: var(--warn); } .tiles .errored, .status.errored { color: var(--odd); } .status.notApplicable, .status.untestable { color: var(--faint); }
.flaky { color: var(--warn); background: var(--warn-soft); border-radius: 0.25rem; padding: 0 0.25rem; font-size: 0.875rem; }
.status { font-weight: 600; white-space: nowrap; }
/* Positioned, or what is out of sight in it would widen the page. */
.scroll { overflow-x: auto; max-width: 100%; position: relative; }
.rules h3 { margin: 1.5rem 0 0.25rem; } .rules > section > h3 .count { color: var(--faint); font-weight: 400; }
table { border-collapse: collapse; } th { text-align: left; }
.matrix { border: 1px solid var(--line); } .matrix td, .matrix th { border: 1px solid var(--line); padding: 0.125rem 0.5rem; } .matrix td { text-align: center; min-width: 2.25rem; padding: 0; } .matrix td a { display: block; padding: 0.125rem 0.5rem; text-decoration: none; } .matrix td a:hover { text-decoration: underline; }
.matrix th[scope=row] { position: sticky; left: 0; background: var(--page); font-weight: 400; white-space: nowrap; }
.matrix thead th span { writing-mode: vertical-rl; transform: rotate(180deg); font-weight: 600; max-height: 9rem; } .matrix thead th { vertical-align: bottom; }
.cell.passed { background: var(--good-soft); } .cell.failed { background: var(--bad-soft); } .cell.warned { background: var(--warn-soft); }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin-top: 0.5rem; color: var(--faint); font-size: 0.875rem; }
.card, .scenario { border: 1px solid var(--line); border-radius: 0.5rem; background: var(--card); padding: 0.5rem 0.75rem; margin: 0.5rem 0; scroll-margin-top: 6rem; }
.card.failed { border-left: 0.375rem solid var(--bad); } .card.warned { border-left: 0.375rem solid var(--warn); } .card.errored { border-left: 0.375rem solid var(--odd); }
.scenario { content-visibility: auto; contain-intrinsic-size: auto 2.75rem; margin: 0.25rem 0; } .scenario .time { float: right; }
summary { cursor: pointer; overflow-wrap: anywhere; } .card > summary .place { display: block; font-size: 0.9375rem; }
details[open] > summary > .gist { display: none; } .gist { display: block; font-size: 0.9375rem; }
.passes { margin-top: 0.5rem; } .passes dl { margin: 0.5rem 0; } .passes div { display: flex; flex-wrap: wrap; gap: 0 0.75rem; } .passes dt { min-width: 10rem; } .passes dd { margin: 0; }
.card p { margin: 0.5rem 0; } .rule b { color: var(--faint); font-weight: 600; margin-right: 0.25rem; }
.differences { width: 100%; table-layout: fixed; margin: 0.5rem 0; background: var(--page); border: 1px solid var(--line); } .differences td, .differences th { padding: 0.125rem 0.5rem; vertical-align: top; overflow-wrap: anywhere; } .differences td + td { border-left: 1px solid var(--line); } .differences code { white-space: pre-wrap; }
.differences thead th { color: var(--faint); font-weight: 600; } .differences tbody th { background: var(--card); border-top: 1px solid var(--line); font: 600 0.875rem ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
del, ins { text-decoration: none; border-radius: 0.2rem; } del { background: var(--good-soft); color: var(--good); } ins { background: var(--bad-soft); color: var(--bad); }
.sequence { margin: 0.25rem 0 0.5rem; font-size: 0.875rem; } .sequence .ends { display: flex; justify-content: space-between; margin: 0 0 0 5.5rem; font-weight: 600; }
.sequence li { position: relative; padding: 0.125rem 0 0.125rem 5.5rem; } .sequence .time { position: absolute; left: 0; width: 4.75rem; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.sequence li > details, .sequence .event { display: block; border: solid var(--faint); border-width: 0 2px; padding: 0 0.75rem; min-height: 1.6rem; }
.sequence summary { list-style: none; position: relative; padding-bottom: 0.375rem; border-bottom: 2px solid var(--link); font-family: ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; } .sequence summary::-webkit-details-marker { display: none; }
.sequence .client summary::after, .sequence .server summary::after { content: ''; position: absolute; bottom: -0.4rem; border: 0.35rem solid transparent; }
.sequence .client summary::after { right: -0.5rem; border-left-color: var(--link); } .sequence .server summary::after { left: -0.5rem; border-right-color: var(--odd); }
.sequence .server summary { border-bottom-color: var(--odd); text-align: right; }
.sequence .event { background: var(--warn-soft); color: var(--warn); text-align: center; font-weight: 600; overflow-wrap: anywhere; }
.again { margin-top: 0.75rem; } .again h3 { display: inline-block; margin-right: 0.5rem; } button { font: inherit; font-size: 0.875rem; padding: 0.125rem 0.75rem; border: 1px solid var(--line); border-radius: 0.375rem; background: var(--page); color: var(--text); cursor: pointer; }
@media (min-width: 60rem) { .filter { position: sticky; top: 0; z-index: 1; } }
.filter { background: var(--page); padding: 0.5rem 0; display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; } .filter[hidden] { display: none; } .filter fieldset { border: 0; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; } .filter input[type=search] { font: inherit; padding: 0.25rem 0.5rem; width: min(22rem, 80vw); border: 1px solid var(--faint); border-radius: 0.375rem; background: var(--page); color: var(--text); }
.remarks li { padding: 0.25rem 0; overflow-wrap: anywhere; }
.checks { width: 100%; margin-top: 0.5rem; } .checks td, .checks th { padding: 0.125rem 0.5rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); overflow-wrap: anywhere; } .checks td:not(:last-child) { white-space: nowrap; } .checks td:last-child { font-family: inherit; width: 100%; } [hidden] { display: none !important; }
@media (max-width: 40rem) { .scenario .time { float: none; display: block; } .checks thead { display: none; } .checks tr { display: block; border-top: 1px solid var(--line); padding: 0.25rem 0; } .checks td { display: inline; border: 0; padding: 0 0.25rem 0 0; } .checks td:not(:last-child) { white-space: normal; } .sequence li { padding-left: 0; } .sequence .time { position: static; display: block; text-align: left; width: auto; } .sequence .ends { margin-left: 0; } }
@media print { :root { color-scheme: light; } body { max-width: none; padding: 0; font-size: 0.8rem; } .filter, .skip, button { display: none; } .card { break-inside: avoid-page; } pre { max-height: none; } .scroll { overflow: visible; } }
`;
