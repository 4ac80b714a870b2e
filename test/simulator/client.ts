import type { Simulator } from '#simulator/server.ts';

export const SIGNAGE = '/gv2/webservices/API/v1.12';

/** A call with the right key for its path, unless other headers are given. */
export function call(simulator: Simulator, path: string, headers?: Record<string, string>) {
  const { signage, backup } = simulator.secrets;
  const own: Record<string, string> = path.startsWith('/gv2/')
    ? { 'x-apikey': signage.apiKey }
    : { authorization: `Bearer ${backup.accessToken}` };
  return fetch(simulator.url + path, { headers: headers ?? own, redirect: 'manual' });
}

export async function json<T = unknown>(simulator: Simulator, path: string): Promise<T> {
  return (await (await call(simulator, path)).json()) as T;
}
