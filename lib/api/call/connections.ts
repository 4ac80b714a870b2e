import type { Client as UndiciClient } from 'undici';
// Not undici's index, which also loads fetch, mocks and caches: half a megabyte of each bundle that calls an API.
import Client from 'undici/lib/dispatcher/client.js';

/** A connection to the source's origin: made when first needed, and again after it broke. */
export interface Connection {
  readonly dispatch: UndiciClient['dispatch'];
  /** True: it has brought an answer since it was made. */
  isProven: boolean;
}

/** The connections of a source, each of which has one call at a time. */
export interface Connections {
  /** Gives a connection without a call, an open one if possible. The caller gives it back or drops it. */
  readonly take: () => Connection;
  /** Gives a connection back for the next call. */
  readonly give: (connection: Connection) => void;
  /** Call it if the server closes connections that it promised to keep: from now on, each is checked for longer before use. */
  readonly distrust: () => void;
  /** Ends a connection that cannot be made. */
  readonly drop: (connection: Connection) => void;
  readonly close: () => Promise<void>;
}

/**
 * Opens no more connections than there are calls at once: their number is the limiter's. With `pipelining` of more than
 * 1 undici waits for one turn of the event loop instead of two before it uses a connection again, in which it finds what
 * came behind the last answer, but not each end: see docs/decisions/speed.md.
 */
export function createConnections(origin: string, options: UndiciClient.Options): Connections {
  const clients = new Map<Connection, UndiciClient>();
  const free: Connection[] = [];
  let isTrusting = true;

  function open(): Connection {
    const client = new Client(origin, { ...options, pipelining: 2 });
    const connection: Connection = {
      dispatch: (call, handler) => {
        if (isTrusting) return client.dispatch(call, handler);
        setImmediate(() => client.dispatch(call, handler));
        return true;
      },
      isProven: false,
    };
    clients.set(connection, client);
    return connection;
  }

  return {
    take: () => free.pop() ?? open(),
    give: (connection) => {
      if (clients.has(connection)) free.push(connection);
    },
    distrust: () => {
      isTrusting = false;
    },
    drop: (connection) => {
      const client = clients.get(connection);
      clients.delete(connection);
      client?.destroy().catch(() => {});
    },
    close: async () => {
      await Promise.all([...clients.values()].map((client) => client.destroy()));
    },
  };
}
