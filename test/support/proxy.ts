import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Proxy extends AsyncDisposable {
  readonly url: string;
}

/** A gateway: hands a path below a prefix on to that origin, without the prefix; answers 404 elsewhere. */
export async function startProxy(origins: Readonly<Record<string, string>>): Promise<Proxy> {
  const server = createServer((asked, answer) => {
    const path = asked.url ?? '';
    const prefix = Object.keys(origins).find((each) => path.startsWith(`${each}/`));
    if (prefix === undefined) {
      answer.writeHead(404, { 'content-type': 'text/plain' }).end('no such application');
      return;
    }
    const target = `${origins[prefix]}${path.slice(prefix.length)}`;
    request(target, { method: asked.method, headers: asked.headers }, (given) => {
      answer.writeHead(given.statusCode ?? 502, given.headers);
      given.pipe(answer);
    })
      .on('error', () => answer.destroy())
      .end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
