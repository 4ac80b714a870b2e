import type { buildConnector, Client as UndiciClient } from 'undici';
import connectorOf from 'undici/lib/core/connect.js';
// Not undici's index, which also loads fetch, mocks and caches: half a megabyte of each bundle.
import Client from 'undici/lib/dispatcher/client.js';
import type { Clock } from '../clock.ts';
import { throughProxy } from './proxy.ts';
import { createQuietTime } from './quiet-time.ts';

/** The connections of a source; each has one call at a time. */
export type Connections = ReturnType<typeof createConnections>;

/** A connection to the source's origin: made at its first use, and again after it broke. */
export interface Connection {
  readonly dispatch: UndiciClient['dispatch'];
  /** True: it has brought an answer since it was made. */
  isProven: boolean;
  /** Call it where an answer begins, with the milliseconds that it took. */
  readonly began: (ms: number) => void;
}

interface Line {
  readonly client: UndiciClient;
  readonly connection: Connection;
  /** True from an answer's end to the beginning of the next. */
  isBetween: boolean;
  /** True: its socket brought an answer. */
  hasAnswered: boolean;
  /** Since when it has had no call; undefined while it has one. */
  freeSince: number | undefined;
  /** True: somebody waits until it has been idle, so it takes no further call. */
  isAwaited: boolean;
}

export interface ConnectionsOptions extends Omit<UndiciClient.Options, 'connect'> {
  readonly connect: buildConnector.BuildOptions;
  /** The proxy that the connections go through; undefined: none. */
  readonly proxy: string | undefined;
  readonly clock: Clock;
}

/**
 * Opens no more connections than there are calls at once, and those that rest. With `pipelining` above 1
 * undici waits for one turn of the event loop, not two, before it reuses a connection. In that turn it finds
 * the bytes after the last answer, but not each end: see docs/decisions/speed.md.
 */
export function createConnections(
  origin: string,
  { connect: how, proxy, clock, ...options }: ConnectionsOptions,
) {
  const lines = new Map<Connection, Line>();
  const free: Line[] = [];
  const connector = throughProxy(connectorOf(how), { proxy, timeoutMs: how.timeout ?? 0 });
  const quiet = createQuietTime(clock);
  let isTrusting = true;
  let unasked = 0;

  function open(): Line {
    const client = new Client(origin, { ...options, connect, pipelining: 2 });
    const line: Line = {
      client,
      connection: {
        dispatch: (call, handler) => {
          if (isTrusting) return client.dispatch(call, handler);
          quiet.pass(Number.NEGATIVE_INFINITY).then(() => client.dispatch(call, handler));
          return true;
        },
        isProven: false,
        began: (ms) => {
          line.isBetween = false;
          line.hasAnswered = true;
          quiet.took(ms);
        },
      },
      isBetween: true,
      hasAnswered: false,
      freeSince: undefined,
      isAwaited: false,
    };
    lines.set(line.connection, line);
    return line;

    function connect(to: buildConnector.Options, done: buildConnector.Callback): void {
      connector(to, (...result) => {
        const [error, socket] = result;
        if (error !== null) return done(error, null);
        line.isBetween = true;
        line.hasAnswered = false;
        socket.on('error', ({ message, name }) => {
          // Undici says this about bytes that come without a call.
          const isUnasked = message === 'bad response' || (name === 'HTTPParserError' && line.isBetween);
          if (isUnasked) noteUnasked(line);
        });
        done(null, socket);
      });
    }
  }

  /** From now on each call has a connection of its own. */
  function noteUnasked({ connection, hasAnswered, freeSince }: Line): void {
    // A server without HTTP shifts nothing, nor does one that sends 408 before it ends an idle connection.
    const isLate = freeSince !== undefined && quiet.isLong(freeSince);
    if (isLate || !hasAnswered || !lines.has(connection)) return;
    unasked += 1;
    for (const each of free.splice(0)) drop(each.connection);
  }

  function drop(connection: Connection): void {
    const line = lines.get(connection);
    lines.delete(connection);
    line?.client.destroy().catch(() => {});
  }

  /** Waits until a connection has been without a call for a round trip, or is dropped. */
  async function rest(line: Line): Promise<void> {
    line.isAwaited = true;
    while (lines.has(line.connection)) {
      const since = line.freeSince;
      await quiet.pass(since);
      if (since !== undefined && since === line.freeSince) break;
    }
    line.isAwaited = false;
  }

  return {
    /** Returns a connection without a call, an open one if possible. The caller returns it or drops it. */
    take: (): Connection => {
      const at = free.findLastIndex(({ isAwaited }) => !isAwaited);
      const line = free.splice(at, at < 0 ? 0 : 1)[0] ?? open();
      line.freeSince = undefined;
      return line.connection;
    },
    /** Takes a connection back for the next call. */
    give: (connection: Connection): void => {
      const line = lines.get(connection);
      if (line === undefined) return;
      line.isBetween = true;
      line.freeSince = clock.monotonic();
      if (unasked > 0) drop(connection);
      else free.push(line);
    },
    /** Call it if the server closes promised connections: each is then checked for longer before use. */
    distrust: (): void => {
      isTrusting = false;
    },
    /** Ends a connection that cannot be made. */
    drop,
    /** Waits until each connection has been idle for a round trip: the answer to a shifted call comes then. */
    rest: async (): Promise<void> => {
      await Promise.all([...lines.values()].map(rest));
    },
    /** How many answers came without a call. */
    unasked: (): number => unasked,
    close: async (): Promise<void> => {
      quiet.close();
      await Promise.all([...lines.values()].map(({ client }) => client.destroy()));
    },
  };
}
