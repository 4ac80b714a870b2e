type Child = Node | string | null | undefined;
type Attributes = Readonly<Record<string, string | number | boolean | ((event: Event) => void) | undefined>>;
/** What an element has: attributes, or a child. */
export type Part = Attributes | Child;

/**
 * An element with classes (`div.card`), attributes, listeners (keys that begin with `on`) and children. A text always
 * becomes a text node and never markup, because names come from a foreign server.
 */
export function h(tag: string, ...parts: readonly Part[]): HTMLElement {
  const [name = '', ...classes] = tag.split('.');
  const element = document.createElement(name);
  element.classList.add(...classes);
  for (const part of parts) {
    if (typeof part === 'string' || part instanceof Node) element.append(part);
    else
      for (const [key, value] of Object.entries(part ?? {})) {
        if (typeof value === 'function') element.addEventListener(key.slice(2), value);
        else if (value === true) element.setAttribute(key, '');
        else if (value !== undefined && value !== false) element.setAttribute(key, String(value));
      }
  }
  return element;
}

/** A wide part that scrolls by itself, with a name for screen readers. */
export function scrolling(label: string, part: HTMLElement): HTMLElement {
  return h('div.scroll', { tabindex: 0, role: 'group', 'aria-label': label }, part);
}

interface FigureTable {
  readonly tag?: `table${string}`;
  readonly label: string;
  readonly heads: readonly string[];
  readonly rows: readonly { readonly name: string; readonly cells: readonly (readonly Child[])[] }[];
}

/** Figures in rows, each with its name. */
export function figureTable({
  tag = 'table',
  label,
  heads: [of = '', ...heads],
  rows,
}: FigureTable): HTMLElement {
  const head = h(
    'tr',
    h('th', { scope: 'col' }, of),
    ...heads.map((each) => h('th.figure', { scope: 'col' }, each)),
  );
  const body = rows.map(({ name, cells }) =>
    h('tr', h('th', { scope: 'row' }, name), ...cells.map((cell) => h('td.figure', ...cell))),
  );
  return scrolling(label, h(tag, h('thead', head), h('tbody', ...body)));
}

/** The text, with the parts in backticks as code. */
export function marked(text: string): readonly (Node | string)[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? h('code', {}, part) : part));
}
