import { SERVED, type ServedKind, type ServedResource } from '../kind.ts';
import type { Answer } from '../profiles/answer.ts';
import { ERRORS, versionRefused } from './errors.ts';

/** The listing that a path requests; `parent` is the segment of the path, decoded. */
export interface Route {
  readonly kind: ServedKind;
  readonly resource: ServedResource;
  readonly parent: string | undefined;
}

export const SIGNAGE_BASE = '/gv2/webservices/API';
const API_VERSION = '1.12';

const SIGNAGE =
  /^\/gv2\/webservices\/API\/v([^/]+)\/(AppGroups|Licenses|Players)(?:\/([^/]+)\/(Screens|PendingFileTransfers))?$/;
const BACKUP: readonly (readonly [RegExp, ServedResource])[] = [
  [/^\/1\/backup\/pricing$/, 'backup_pricing'],
  [/^\/1\/backup$/, 'backup_storages'],
  [/^\/0\/backup\/([^/]+)\/slot$/, 'backup_slots'],
];

/** The route, or the answer for a path or version that does not exist. */
export function routeOf(path: string): Route | Answer {
  const signage = SIGNAGE.exec(path);
  if (signage !== null) {
    const [, version = '', top = '', parent, child] = signage;
    const resource = SERVED.find(({ listing }) => listing === (child ?? top))?.name;
    if (resource !== undefined && (child === undefined || top === 'Players')) {
      if (version !== API_VERSION) return versionRefused(version, API_VERSION);
      return { kind: 'signage', resource, parent: decoded(parent) };
    }
  }
  for (const [pattern, resource] of BACKUP) {
    const match = pattern.exec(path);
    if (match !== null) return { kind: 'backup', resource, parent: decoded(match[1]) };
  }
  if (!path.startsWith(SIGNAGE_BASE))
    return ERRORS.native('backup', 404, 'method_not_found', 'Method not found');
  const message = 'No HTTP resource was found that matches the request URI.';
  return ERRORS.native('signage', 404, '', message, 'No type was found that matches the controller.');
}

function decoded(segment: string | undefined): string | undefined {
  if (segment === undefined) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
