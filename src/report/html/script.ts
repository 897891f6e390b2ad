/** The page's only script. It adds search, filter, copying and unfolding; the page is whole without it. */
export const SCRIPT = `'use strict';
{
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const form = document.querySelector('.filter');
  form.hidden = false;
  const search = document.querySelector('#search');
  const output = form.querySelector('output');
  const items = all('[data-item]').map((element) => ({
    element,
    status: element.dataset.item,
    text: '',
    scenario: element.closest('.scenario'),
  }));
  const textOf = (item) => {
    if (item.text === '') item.text = ((item.scenario?.querySelector('summary').textContent ?? '') + ' ' + item.element.textContent).toLowerCase();
    return item.text;
  };
  const filter = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const statuses = new Set(all('input:checked', form).map((box) => box.value));
    const found = new Map();
    let rows = 0;
    for (const item of items) {
      const isShown = statuses.has(item.status) && (words.length === 0 || words.every((word) => textOf(item).includes(word)));
      item.element.hidden = !isShown;
      if (isShown && item.scenario) {
        rows += 1;
        found.set(item.scenario, (found.get(item.scenario) ?? 0) + 1);
      }
    }
    const isFiltered = words.length > 0 || statuses.size < all('input[type=checkbox]', form).length;
    for (const scenario of all('.scenario')) {
      const summary = scenario.querySelector('summary').textContent.toLowerCase();
      const isEmptyMatch = !scenario.querySelector('[data-item]') && statuses.has(scenario.dataset.scenario) && words.every((word) => summary.includes(word));
      scenario.hidden = !found.has(scenario) && !isEmptyMatch;
      if (isFiltered) scenario.open = found.size <= 20 && found.has(scenario);
    }
    for (const group of all('[data-group]')) group.hidden = !group.querySelector(':scope > [data-item]:not([hidden])');
    output.value = isFiltered ? rows + (rows === 1 ? ' check' : ' checks') : '';
  };
  let pending = 0;
  const later = () => {
    cancelAnimationFrame(pending);
    pending = requestAnimationFrame(filter);
  };
  form.addEventListener('input', later);
  form.addEventListener('submit', (event) => event.preventDefault());
  const reveal = () => {
    const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
    if (target instanceof HTMLDetailsElement) {
      target.open = true;
      target.hidden = false;
      target.closest('[data-group]')?.removeAttribute('hidden');
      target.scrollIntoView();
      target.querySelector('summary').focus();
    }
  };
  addEventListener('hashchange', reveal);
  reveal();
  for (const command of all('.command')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', 'Copy the command');
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(command.textContent);
      } catch {
        getSelection().selectAllChildren(command);
        document.execCommand('copy');
      }
      button.textContent = 'Copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    });
    command.before(button);
  }
  let folded = [];
  addEventListener('beforeprint', () => {
    folded = all('details.card:not([open])');
    for (const details of folded) details.open = true;
  });
  addEventListener('afterprint', () => {
    for (const details of folded) details.open = false;
  });
}
`;
