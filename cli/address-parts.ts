import type { Kind } from '#lib/sources/kind.ts';
import { kindNamed, type SourceKind } from '#lib/sources/kinds.ts';
import { trimEnd } from '#lib/text.ts';

type FaultOf = (setting: string, value: unknown) => string | undefined;

/**
 * The settings in a usual address. From `https://host/gv2/webservices/API/v1.12/Players` it takes the host as
 * `baseUrl`, and `apiVersion` and `basePath` if they differ from the kind's own. An address without a path,
 * or with a query or a password, stays as it is.
 */
export function addressParts(
  kind: SourceKind,
  address: string,
  faultOf: FaultOf,
): { readonly baseUrl: string } & Readonly<Record<string, unknown>> {
  if (!URL.canParse(address)) return { baseUrl: address };
  const { origin, pathname, search, hash, username } = new URL(address);
  const path = trimEnd(pathname, '/');
  if (path === '' || search !== '' || hash !== '' || username !== '') return { baseUrl: address };
  const parts = path.split('/').slice(1);
  const { listings, defaults }: Kind = kindNamed(kind);
  const found = parts.flatMap((_, at) =>
    listings.flatMap((listing) => {
      const settings = settingsIn(listing.path, parts.slice(at), faultOf);
      return settings === undefined ? [] : [{ at, settings }];
    }),
  )[0];
  const before = parts.slice(0, found?.at).map((part) => `/${part}`);
  const basePath = before.join('');
  return { baseUrl: origin, ...(basePath !== defaults.basePath && { basePath }), ...found?.settings };
}

/** The settings in the beginning of a listing's path; undefined for another beginning. */
function settingsIn(path: string, parts: readonly string[], faultOf: FaultOf): object | undefined {
  const own = path.split('/').slice(1);
  if (parts.length > own.length) return undefined;
  const settings: Record<string, unknown> = {};
  for (const [index, part] of parts.entries()) {
    const template = own[index] ?? '';
    const { before = '', name } = /^(?<before>[^{]*)\{(?<name>\w+)\}$/.exec(template)?.groups ?? {};
    if (name === undefined && part.toLowerCase() !== template.toLowerCase()) return undefined;
    if (name === undefined || name === 'id') continue;
    const value = part.slice(before.length);
    if (!part.startsWith(before) || faultOf(name, value) !== undefined) return undefined;
    settings[name] = value;
  }
  return settings;
}
