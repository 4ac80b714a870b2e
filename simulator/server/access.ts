import type { IncomingHttpHeaders } from 'node:http';
import type { ServedKind } from '../kind.ts';
import type { Secrets, SimulatorOptions } from '../options.ts';
import type { Profile } from '../profiles/profile.ts';
import { ACCOUNT_ID } from '../world/settings.ts';
import { accountIdMissing } from './errors.ts';
import type { Route } from './routes.ts';

/** Each seed has other keys. */
export function createAccess({ seed = 1, onRotate }: Pick<SimulatorOptions, 'seed' | 'onRotate'>) {
  let rotations = 0;
  const signageKeys = (mark = '') => ({
    signage: { apiKey: `sim-api-key-5d0c7e9${seed}${mark}` },
    session: { sessionId: `sim-session-83b1f2a${seed}${mark}` },
  });
  const backupKeys = (mark = '') => ({ backup: { accessToken: `sim-access-token-c41e9f0${seed}${mark}` } });
  let secrets: Secrets = { ...signageKeys(), ...backupKeys() };
  return {
    /** Those that are accepted now. */
    get secrets() {
      return secrets;
    },
    /** Changes the keys of one API; the old ones are refused from now on. */
    rotate(kind: ServedKind): void {
      const fresh = (kind === 'backup' ? backupKeys : signageKeys)(`-rotated-${++rotations}`);
      secrets = { ...secrets, ...fresh };
      onRotate?.(secrets);
    },
    /** The refusal; undefined if the call with this query may pass. */
    refusal(profile: Profile, route: Route, headers: IncomingHttpHeaders, query: URLSearchParams) {
      const { signage, session, backup } = secrets;
      if (route.kind === 'signage') {
        const key = headers['x-apikey'];
        const isAllowed =
          key === undefined ? headers['x-session-id'] === session.sessionId : key === signage.apiKey;
        const message = 'Authorization has been denied for this request.';
        return isAllowed ? undefined : profile.error('signage', 401, 'not_authorized', message);
      }
      if (headers.authorization !== `Bearer ${backup.accessToken}`)
        return profile.error('backup', 401, 'not_authorized', 'Authorization required');
      const account = query.get('account_id') ?? '';
      if (account === '') return profile.needsAccountId(route) ? accountIdMissing() : undefined;
      if (account === String(ACCOUNT_ID)) return undefined;
      return profile.error('backup', 403, 'forbidden', 'Access to this account is denied');
    },
  };
}

export type Access = ReturnType<typeof createAccess>;
