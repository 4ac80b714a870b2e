import { request } from 'node:http';
import { request as requestTls } from 'node:https';
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { isLoopback } from '../../config/origin.ts';
import { CallFault } from '../call-fault.ts';

/**
 * The proxy for an https:// origin by the usual variables, in capitals or not: HTTPS_PROXY, and NO_PROXY with
 * `*`, hosts and domains (`.corp.example` or `corp.example`). This machine itself needs none.
 */
export function proxyFor(origin: string, variable: (name: string) => string | undefined): string | undefined {
  const { protocol, hostname } = new URL(origin);
  const setting = (name: string) => variable(name.toLowerCase()) || variable(name) || '';
  if (protocol !== 'https:' || isLoopback(hostname)) return undefined;
  const direct = setting('NO_PROXY')
    .toLowerCase()
    .split(/[\s,]+/);
  const isDirect = (entry: string) => {
    const domain = entry.replace(/^\*?\./, '').replace(/:\d+$/, '');
    return entry === '*' || (domain !== '' && (hostname === domain || hostname.endsWith(`.${domain}`)));
  };
  return direct.some(isDirect) ? undefined : setting('HTTPS_PROXY') || undefined;
}

interface TunnelTo {
  readonly proxy: string;
  readonly hostname: string;
  readonly port: string;
  readonly timeoutMs: number;
}

/** A connection to the host through the proxy; TLS with the host comes after. Rejects with CallFault. */
function openTunnel({ proxy, hostname, port, timeoutMs }: TunnelTo): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) =>
      reject(new CallFault('PROXY_FAILED', `the proxy in HTTPS_PROXY gives no connection (${why})`));
    const text = /^https?:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
    if (!URL.canParse(text) || /^(?!https?:)\w+:\/\//i.test(proxy))
      return fail('it must be an address such as http://proxy.example.com:3128');
    const { protocol, hostname: at, port: portAt, username, password } = new URL(text);
    const to = `${hostname}:${port || '443'}`;
    const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    const call = (protocol === 'https:' ? requestTls : request)({
      hostname: at,
      port: portAt === '' ? undefined : portAt,
      method: 'CONNECT',
      path: to,
      agent: false,
      rejectUnauthorized: true,
      headers: {
        host: to,
        ...(username !== '' && {
          'proxy-authorization': `Basic ${Buffer.from(user).toString('base64')}`,
        }),
      },
    });
    call.setTimeout(timeoutMs, () => call.destroy(Object.assign(new Error(), { code: 'ETIMEDOUT' })));
    call.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? error.name));
    call.on('connect', ({ statusCode }, socket: Socket, head) => {
      socket.setTimeout(0);
      if (statusCode === 200 && head.length === 0) return resolve(socket);
      socket.destroy();
      fail(`HTTP ${statusCode}`);
    });
    call.on('response', (answer) => {
      answer.destroy();
      fail(`HTTP ${answer.statusCode}`);
    });
    call.end();
  });
}

/** The connector, whose connections go through the proxy; itself if there is none. */
export function throughProxy(
  connector: buildConnector.connector,
  { proxy, timeoutMs }: { readonly proxy: string | undefined; readonly timeoutMs: number },
): buildConnector.connector {
  if (proxy === undefined) return connector;
  return (to, done) => {
    openTunnel({ proxy, hostname: to.hostname, port: to.port, timeoutMs }).then(
      (httpSocket) => connector({ ...to, httpSocket }, done),
      (error: Error) => done(error, null),
    );
  };
}
