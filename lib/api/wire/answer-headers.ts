import { redactText } from '../body/redact.ts';
import type { SecretFinder } from '../body/secret-finder.ts';
import { type HeaderFields, headerOf } from '../headers.ts';

/** Whether an answer tells where it ends: by its length, by chunks, or by what a compressed body ends with. */
export function hasEnd(headers: HeaderFields): boolean {
  const isSized = ['content-length', 'transfer-encoding'].some(
    (name) => headerOf(headers, name) !== undefined,
  );
  return isSized || !isPlain(headers);
}

/** The content-encoding, in lower case; empty where there is none. */
export function encodingOf(headers: HeaderFields): string {
  return (headerOf(headers, 'content-encoding') ?? '').trim().toLowerCase();
}

/** Whether the body is not compressed. */
export function isPlain(headers: HeaderFields): boolean {
  return ['', 'identity'].includes(encodingOf(headers));
}

/** The header of a redirect that keeps its secrets, for it must lead to the right place. It is never stored. */
const FOLLOWED = 'location';

/** An answer's headers, without the secrets in them. */
export function withoutSecrets(
  { status, headers }: { readonly status: number; readonly headers: HeaderFields },
  secrets: SecretFinder,
): HeaderFields {
  // All at once, for nearly always there is none. Line breaks between them would be read as breaks within a key.
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
