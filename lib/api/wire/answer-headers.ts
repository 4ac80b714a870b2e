import { redactText, type SecretFinder } from '../body/secret-finder.ts';
import { type HeaderFields, headerOf } from '../headers.ts';

/** The content-encoding, in lower case; empty without one. */
export function encodingOf(headers: HeaderFields): string {
  return (headerOf(headers, 'content-encoding') ?? '').trim().toLowerCase();
}

/** True where the body is not compressed. */
export function isPlain(headers: HeaderFields): boolean {
  return ['', 'identity'].includes(encodingOf(headers));
}

/** The header of a redirect keeps its secrets, so that it leads to the right place. It is never stored. */
const FOLLOWED = 'location';

/** An answer's headers, without the secrets in them. */
export function withoutSecrets(
  { status, headers }: { readonly status: number; readonly headers: HeaderFields },
  secrets: SecretFinder,
): HeaderFields {
  // All at once, because a secret is rare. A line break could be read as a break within a key.
  const names = Object.keys(headers).join(' ');
  if (!secrets.isIn(`${names} ${Object.values(headers).join(' ')}`)) return headers;
  const isNamed = secrets.isIn(names);
  const safe = (value: string) => redactText(value, secrets);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if ((name === FOLLOWED && (status < 200 || status > 299)) || value === undefined) return [name, value];
      return [isNamed ? safe(name) : name, Array.isArray(value) ? value.map(safe) : safe(value)];
    }),
  );
}
