type Child = Node | string | null | undefined;
type Attributes = Readonly<Record<string, string | number | boolean | ((event: Event) => void) | undefined>>;

/**
 * An element with attributes, listeners (keys that begin with `on`) and children. A text always becomes a text node and
 * never markup, because names come from a foreign server.
 */
export function h(tag: string, attributes: Attributes = {}, ...children: readonly Child[]): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** The text, with the parts in backticks as code. */
export function marked(text: string): readonly (Node | string)[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? h('code', {}, part) : part));
}
