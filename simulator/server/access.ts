import type { IncomingHttpHeaders } from 'node:http';
import type { ServedKind } from '../kind.ts';
import type { Answer } from '../profiles/answer.ts';
import type { Profile } from '../profiles/profile.ts';
import { accountIdMissing } from './errors.ts';
import type { Route } from './routes.ts';

/** The keys that a call must carry. */
export interface Keys {
  readonly apiKey: string;
  readonly sessionId: string;
  readonly accessToken: string;
  readonly accountId: string;
  /** False: this installation's API has not been enabled. */
  readonly apiEnabled: boolean;
}

export interface Access {
  readonly keys: Keys;
  /** Changes the keys of one API; the old ones are refused from now on. */
  rotate(kind: ServedKind): void;
  /** The refusal; undefined if the call may pass. */
  refusal(
    profile: Profile,
    route: Route,
    headers: IncomingHttpHeaders,
    query: URLSearchParams,
  ): Answer | undefined;
}

export function createAccess(initial: Keys, onRotate: (keys: Keys) => void): Access {
  let keys = initial;
  let rotations = 0;
  return {
    get keys() {
      return keys;
    },
    rotate(kind) {
      const mark = `-rotated-${++rotations}`;
      keys =
        kind === 'backup'
          ? { ...keys, accessToken: initial.accessToken + mark }
          : { ...keys, apiKey: initial.apiKey + mark, sessionId: initial.sessionId + mark };
      onRotate(keys);
    },
    refusal: (profile, route, headers, query) =>
      route.kind === 'signage'
        ? signageRefusal(keys, profile, headers)
        : backupRefusal(keys, profile, route, headers, query),
  };
}

function signageRefusal(keys: Keys, profile: Profile, headers: IncomingHttpHeaders): Answer | undefined {
  if (!keys.apiEnabled) {
    return profile.error('signage', 403, 'forbidden', 'API access is not enabled for this installation.');
  }
  const key = headers['x-apikey'];
  const allowed = key === undefined ? headers['x-session-id'] === keys.sessionId : key === keys.apiKey;
  return allowed
    ? undefined
    : profile.error('signage', 401, 'not_authorized', 'Authorization has been denied for this request.');
}

function backupRefusal(
  keys: Keys,
  profile: Profile,
  route: Route,
  headers: IncomingHttpHeaders,
  query: URLSearchParams,
): Answer | undefined {
  if (headers.authorization !== `Bearer ${keys.accessToken}`) {
    return profile.error('backup', 401, 'not_authorized', 'Authorization required');
  }
  const account = query.get('account_id') ?? '';
  if (account === '') return profile.needsAccountId(route) ? accountIdMissing() : undefined;
  return account === keys.accountId
    ? undefined
    : profile.error('backup', 403, 'forbidden', 'Access to this account is denied');
}
