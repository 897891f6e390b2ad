import type { CheckDefinition } from '../checks/catalogue.js';

/** `docs/checks.md`: every check with what it demands and where from, by family, in the catalogue's order. */
export function cataloguePage(definitions: Iterable<CheckDefinition>): string {
  const families = byFamily(definitions);
  const count = [...families.values()].reduce((sum, checks) => sum + checks.length, 0);
  return `${[
    '# The checks',
    'Written by `npm run docs:checks` from `src/checks/catalogue`; do not edit it by hand.',
    [
      `${count} checks in ${families.size} families. A \`must\` that is broken fails the run, a \`should\` warns (with \`--strict\` it fails), a \`note\` informs.`,
      '`msp-conformance explain CHECK` prints any of these at a terminal.',
    ].join('\n'),
    [...families.keys()].map((family) => `- [${family}](#${family})`).join('\n'),
    ...[...families].flatMap(([family, checks]) => [`## ${family}`, table(checks), ...checks.map(details)]),
  ].join('\n\n')}\n`;
}

function byFamily(definitions: Iterable<CheckDefinition>): ReadonlyMap<string, readonly CheckDefinition[]> {
  const families = new Map<string, CheckDefinition[]>();
  for (const definition of definitions) {
    const family = definition.id.split('/')[0] ?? '';
    families.set(family, [...(families.get(family) ?? []), definition]);
  }
  return families;
}

function table(checks: readonly CheckDefinition[]): string {
  const rows = checks.map(
    ({ id, severity, title }) => `| [${id}](#${anchor(id)}) | ${severity} | ${inCell(title)} |`,
  );
  return ['| check | severity | |', '|---|---|---|', ...rows].join('\n');
}

function details({ id, severity, requirement, source, explanation, ...more }: CheckDefinition): string {
  return [
    `### ${id}`,
    `${text(requirement)} (\`${severity}\`; ${text(source)})`,
    text(explanation),
    [
      `- Usual mistake: ${text(more.typicalMistake)}`,
      `- How to see it without this tool: ${text(more.howToSee)}`,
    ].join('\n'),
  ].join('\n\n');
}

/** The fragment that GitHub and GitLab give a heading. */
function anchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}

/** The texts are plain but for code spans; outside of those nothing may read as mark-up. */
function text(plain: string): string {
  return plain
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[\\*_<[\]]/g, (char) => `\\${char}`)))
    .join('');
}

function inCell(plain: string): string {
  return text(plain).replaceAll('|', '\\|');
}
