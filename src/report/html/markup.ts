import { forMarkup } from '../escape.js';

/** HTML that is known to be safe. Only `html` makes it, so that a plain string is always text. */
export class Markup {
  constructor(readonly source: string) {}
}

type Child = Markup | string | number | undefined | readonly Child[];

/** A template whose values are escaped, as text or in quoted attributes, unless they are markup. */
export function html(strings: TemplateStringsArray, ...children: readonly Child[]): Markup {
  return new Markup(
    strings.map((part, i) => part + (i < children.length ? render(children[i]) : '')).join(''),
  );
}

function render(child: Child): string {
  if (child === undefined) return '';
  if (child instanceof Markup) return child.source;
  if (typeof child === 'object') return child.map(render).join('');
  return forMarkup(String(child));
}
