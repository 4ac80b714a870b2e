import { backup } from './backup.ts';
import type { Kind } from './kind.ts';
import { signage } from './signage.ts';

/** All kinds of sources, in the order of their tables. */
export const KINDS = [signage, backup] as const satisfies readonly Kind[];

type AnyKind = (typeof KINDS)[number];

export type SourceKind = AnyKind['kind'];

/** The tables that a kind of source feeds. */
export type ResourceOf<Name extends SourceKind> = Extract<
  AnyKind,
  { readonly kind: Name }
>['listings'][number]['name'];

/** A resource has the name of the table that it feeds. */
export type ResourceName = ResourceOf<SourceKind>;

/** The names that a key may have in a secret. */
export const SECRET_FORMS: readonly string[] = [
  ...new Set(KINDS.flatMap(({ secret }) => Object.keys(secret))),
];

/** How a secret is written, for messages: `{"apiKey": "…"} or {"sessionId": "…"} (signage), {"accessToken": "…"} (backup)`. */
export const SECRET_EXAMPLE: string = KINDS.map(({ kind, secret }) => {
  const forms = Object.keys(secret).map((form) => `{${JSON.stringify(form)}: "…"}`);
  return `${forms.join(' or ')} (${kind})`;
}).join(', ');

/** The kind of that name. */
export function kindNamed(name: SourceKind): Kind {
  const found = KINDS.find(({ kind }) => kind === name);
  if (found === undefined) throw new Error(`no kind of source ${name}`);
  return found;
}
