import { type HeaderFields, headerOf } from '../headers.ts';
import { isIgnored, type Said } from './beside.ts';
import { wholeNumberOf } from './said-value.ts';
import { wordsOf } from './words.ts';

/** An answer that a cache has kept for longer is an old one. */
const OLD_SECONDS = 3600;

/** Headers, and the status, by which a cache or proxy says that its answer is not what the API would answer now (RFC 9111, RFC 9110). */
export function staleIn({
  headers,
  status,
  ignore,
}: {
  readonly headers: HeaderFields;
  readonly status: number;
  /** `resources.NAME.ignore` */
  readonly ignore: readonly string[];
}): readonly Said[] {
  const found = Object.keys(headers).flatMap((name) => {
    if (name !== 'age' && !name.includes('cache')) return [];
    const value = headerOf(headers, name) ?? '';
    const isOld = name === 'age' && (wholeNumberOf(value) ?? 0) > OLD_SECONDS;
    const isStale = saysStale(name, value);
    return isOld || isStale ? [said(name, value)] : [];
  });
  const all = status === 203 ? [...found, said('HTTP 203', 'not authoritative')] : found;
  return all.filter((each) => !isIgnored(each, ignore));
}

function saysStale(name: string, value: string): boolean {
  // In Cache-Status (RFC 9211) `fwd=stale` is why the API was asked.
  const said = wordsOf(value.replaceAll(/fwd=\S*/g, ''));
  return wordsOf(name).includes('cache') && !name.endsWith('-control') && said.includes('stale');
}

function said(name: string, value: string): Said {
  return { path: [name], isHeader: true, value, isAside: false };
}
