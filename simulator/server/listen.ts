import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  readonly server: Server;
  readonly url: string;
}

/** A server on the loopback interface; port 0 is any free one. Returns its origin. */
export async function listen(port: number, handler: RequestListener): Promise<Listening> {
  const server = createServer(
    {
      // Longer than a client keeps an idle connection, so that it never uses one that is just being closed.
      keepAliveTimeout: 120_000,
      requestTimeout: 0,
      noDelay: true,
    },
    handler,
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', 4096, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: actual } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${actual}` };
}

/** Ends the server with all its connections, answers under way included. */
export async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
