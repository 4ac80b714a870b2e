import { BARE } from './bare.ts';
import { ENVELOPES } from './envelopes.ts';
import type { Form } from './form.ts';
import { HEADERS } from './headers.ts';
import { HYPERMEDIA } from './hypermedia.ts';
import { LARAVEL } from './laravel.ts';
import { ODATA_FORMS } from './odata.ts';
import { OFFSETS } from './offsets.ts';
import { PAGES } from './pages.ts';
import { PYTHON } from './python.ts';
import { TOKENS } from './tokens.ts';

/** Forms that give all at once, without anything around the records or in an envelope. */
export const PLAIN: readonly Form[] = [...BARE, ...ENVELOPES];
/** Forms of frameworks and specifications. */
export const PAGED: readonly Form[] = [
  ...HEADERS,
  ...HYPERMEDIA,
  ...ODATA_FORMS,
  ...PYTHON,
  ...PAGES,
  ...LARAVEL,
  ...OFFSETS,
  ...TOKENS,
];
export const FORMS: readonly Form[] = [...PLAIN, ...PAGED];

/** The form of that name. */
export function formNamed(name: string): Form {
  const found = FORMS.find((form) => form.name === name);
  if (found === undefined) throw new Error(`there is no form ${name}`);
  return found;
}
