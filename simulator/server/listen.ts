import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening {
  readonly server: Server;
  readonly url: string;
}

/** A server on the loopback interface; port 0 is any free one. Returns its origin. */
export async function listen(port: number, handler: RequestListener): Promise<Listening> {
  // Longer than a client keeps an idle connection, so that it never uses one that is just being closed.
  const keepAliveTimeout = 120_000;
  const server = createServer({ keepAliveTimeout, requestTimeout: 0, noDelay: true }, handler);
  await once(server.listen(port, '127.0.0.1', 4096), 'listening');
  const { port: actual } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${actual}` };
}

/** Ends the server with all its connections, answers under way included. */
export async function close(server: Server): Promise<void> {
  const closed = once(server.close(), 'close');
  server.closeAllConnections();
  await closed;
}
