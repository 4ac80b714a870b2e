import type { Form } from './form.ts';
import { HEADERS } from './headers.ts';
import { HYPERMEDIA } from './hypermedia.ts';
import { PAGES } from './pages.ts';
import { PLAIN } from './plain.ts';
import { TOKENS } from './tokens.ts';

/** Forms of frameworks and specifications; those that can be installed are in test/servers, as they are. */
export const PAGED: readonly Form[] = [...HEADERS, ...HYPERMEDIA, ...PAGES, ...TOKENS];
export const FORMS: readonly Form[] = [...PLAIN, ...PAGED];

/** The form of that name. */
export function formNamed(name: string): Form {
  const found = FORMS.find((form) => form.name === name);
  if (found === undefined) throw new Error(`there is no form ${name}`);
  return found;
}
