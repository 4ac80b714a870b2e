import type { IncomingHttpHeaders } from 'node:http';
import type { ServedKind } from '../kind.ts';
import type { Secrets, SimulatorOptions } from '../options.ts';
import type { Answer } from '../profiles/answer.ts';
import type { Profile } from '../profiles/profile.ts';
import { accountIdMissing } from './errors.ts';
import type { Route } from './routes.ts';

export interface Access {
  /** Those that are accepted now. */
  readonly secrets: Secrets;
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

export function createAccess(options: SimulatorOptions): Access {
  const { apiKey = 'sim-api-key-5d0c7e91', accessToken = 'sim-access-token-c41e9f07' } = options;
  const { accountId = '1042', apiEnabled = true, onRotate } = options;
  const sessionId = 'sim-session-83b1f2aa';
  let secrets: Secrets = { signage: { apiKey }, session: { sessionId }, backup: { accessToken } };
  let rotations = 0;
  return {
    get secrets() {
      return secrets;
    },
    rotate(kind) {
      const mark = `-rotated-${++rotations}`;
      secrets =
        kind === 'backup'
          ? { ...secrets, backup: { accessToken: accessToken + mark } }
          : { ...secrets, signage: { apiKey: apiKey + mark }, session: { sessionId: sessionId + mark } };
      onRotate?.(secrets);
    },
    refusal(profile, route, headers, query) {
      if (route.kind === 'backup')
        return backupRefusal({ secrets, accountId, profile, route, headers, query });
      return apiEnabled
        ? signageRefusal(secrets, profile, headers)
        : profile.error('signage', 403, 'forbidden', 'API access is not enabled for this installation.');
    },
  };
}

function signageRefusal(
  { signage, session }: Secrets,
  profile: Profile,
  headers: IncomingHttpHeaders,
): Answer | undefined {
  const key = headers['x-apikey'];
  const allowed = key === undefined ? headers['x-session-id'] === session.sessionId : key === signage.apiKey;
  return allowed
    ? undefined
    : profile.error('signage', 401, 'not_authorized', 'Authorization has been denied for this request.');
}

interface BackupCall {
  readonly secrets: Secrets;
  readonly accountId: string;
  readonly profile: Profile;
  readonly route: Route;
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
}

function backupRefusal(call: BackupCall): Answer | undefined {
  const { secrets, accountId, profile, route, headers, query } = call;
  if (headers.authorization !== `Bearer ${secrets.backup.accessToken}`) {
    return profile.error('backup', 401, 'not_authorized', 'Authorization required');
  }
  const account = query.get('account_id') ?? '';
  if (account === '') return profile.needsAccountId(route) ? accountIdMissing() : undefined;
  return account === accountId
    ? undefined
    : profile.error('backup', 403, 'forbidden', 'Access to this account is denied');
}
