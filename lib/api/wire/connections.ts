import type { buildConnector, Client as UndiciClient } from 'undici';
import connectorOf from 'undici/lib/core/connect.js';
// Not undici's index, which also loads fetch, mocks and caches: half a megabyte of each bundle.
import Client from 'undici/lib/dispatcher/client.js';
import type { Clock } from '../clock.ts';
import { throughProxy } from './proxy.ts';
import { createQuietTime } from './quiet-time.ts';
import { watchSocket } from './watch-socket.ts';

/** The calls of a socket since it was idle for a round trip. An extra answer shifts all later ones. */
export interface Stretch {
  /** True: an answer came without a call, so each answer may be another call's. */
  readonly isShifted: boolean;
}

/** A connection to the source's origin: made at its first use, and again after it broke. */
export interface Connection {
  readonly dispatch: UndiciClient['dispatch'];
  /** True: it has brought an answer since it was made. */
  isProven: boolean;
  /** The current stretch of its socket. */
  readonly stretch: () => Stretch;
  /** Call it where a request is written. */
  readonly sent: () => void;
  /** Call it where an answer begins, with the milliseconds that it took. */
  readonly began: (ms: number) => void;
}

/** The connections of a source; each has one call at a time. */
export interface Connections {
  /** Returns a connection without a call, an open one if possible. The caller returns it or drops it. */
  readonly take: () => Connection;
  /**
   * Takes a connection back for the next call. After the first answer without a call, it must first be idle
   * for a round trip. Then the promise says if it was. Undefined before.
   */
  readonly give: (connection: Connection) => Promise<boolean> | undefined;
  /** Call it if the server closes promised connections: each is then checked for longer before use. */
  readonly distrust: () => void;
  /** Ends a connection that cannot be made. */
  readonly drop: (connection: Connection) => void;
  /** Waits until each socket of these stretches has been idle for a round trip, or is closed. */
  readonly rest: (stretches: ReadonlySet<Stretch>) => Promise<void>;
  /** How many answers came without a call. */
  readonly unasked: () => number;
  readonly close: () => Promise<void>;
}

export interface ConnectionsOptions extends Omit<UndiciClient.Options, 'connect'> {
  readonly connect: buildConnector.BuildOptions;
  /** The proxy that the connections go through; undefined: none. */
  readonly proxy: string | undefined;
  readonly clock: Clock;
  /** The most calls at once. */
  readonly concurrency: number;
}

/** A stretch ends after this many answers: a server that closes after 100 would hide a shift. */
const ANSWERS = 16;
/** At most one connection in five rests for that. */
const RESTING = 1 / 4;

/** A current stretch. */
interface Going extends Stretch {
  isShifted: boolean;
  /** True: no byte can come any more that would change the verdict. */
  isOver: boolean;
  /** True: somebody waits for its end, so its connection takes no further call. */
  isAwaited: boolean;
  answers: number;
}

interface Line {
  readonly client: UndiciClient;
  readonly connection: Connection;
  stretch: Going;
  /** The one before: a round trip may have been longer than expected. */
  former: Going | null;
  /** True from an answer's end to the beginning of the next. */
  isBetween: boolean;
  /** Since when it has had no call; undefined while it has one. */
  freeSince: number | undefined;
  /** True: it was idle for a round trip when it was taken. */
  isRested: boolean;
}

/**
 * Opens no more connections than there are calls at once, and those that rest. With `pipelining` above 1
 * undici waits for one turn of the event loop, not two, before it reuses a connection. In that turn it finds
 * the bytes after the last answer, but not each end: see docs/decisions/speed.md.
 */
export function createConnections(
  origin: string,
  { connect: how, proxy, clock, concurrency, ...options }: ConnectionsOptions,
): Connections {
  const lines = new Map<Connection, Line>();
  const free: Line[] = [];
  const connector = throughProxy(connectorOf(how), { proxy, timeoutMs: how.timeout ?? 0 });
  const quiet = createQuietTime(clock);
  let isTrusting = true;
  let unasked = 0;
  let resting = 0;

  function open(): Line {
    const client = new Client(origin, { ...options, connect, pipelining: 2 });
    const line: Line = {
      client,
      connection: {
        dispatch: (call, handler) => {
          if (isTrusting) return client.dispatch(call, handler);
          setImmediate(() => client.dispatch(call, handler));
          return true;
        },
        isProven: false,
        stretch: () => line.stretch,
        // By now undici has read everything that had come when the connection was taken.
        sent: () => {
          if (line.isRested) end(line);
        },
        began: (ms) => {
          line.isBetween = false;
          line.stretch.answers += 1;
          quiet.took(ms);
        },
      },
      stretch: newStretch(),
      former: null,
      isBetween: true,
      freeSince: undefined,
      isRested: false,
    };
    lines.set(line.connection, line);
    return line;

    function connect(to: buildConnector.Options, done: buildConnector.Callback): void {
      connector(to, (...result) => {
        const [error, socket] = result;
        if (error !== null) return done(error, null);
        line.stretch = newStretch();
        line.former = null;
        line.isBetween = true;
        watchSocket(socket, {
          isBetween: () => line.isBetween,
          onUnasked: () => noteUnasked(line),
          onClose: () => {
            line.stretch.isOver = true;
          },
        });
        if (unasked === 0) return done(null, socket);
        quiet.pass().then(() => {
          if (socket.readableLength === 0) return done(null, socket);
          socket.destroy();
          done(new Error('the server spoke before it was asked'), null);
        });
      });
    }
  }

  /** From now on calls get new connections, and each must be idle for a round trip before another call. */
  function noteUnasked({ stretch, former, freeSince }: Line): void {
    // A server without HTTP shifts nothing, nor does one that sends 408 before it ends an idle connection.
    const isLate = freeSince !== undefined && quiet.isLong(freeSince);
    if (isLate || (stretch.answers === 0 && former === null)) return;
    stretch.isShifted = true;
    if (former !== null) former.isShifted = true;
    unasked += 1;
    for (const line of free.splice(0)) rest(line, line.stretch).then(() => drop(line.connection));
  }

  function drop(connection: Connection): void {
    const line = lines.get(connection);
    lines.delete(connection);
    line?.client.destroy().catch(() => {});
  }

  async function rest(line: Line, stretch: Going): Promise<void> {
    stretch.isAwaited = true;
    while (!stretch.isOver && !stretch.isShifted) {
      const since = line.freeSince;
      await quiet.pass(since);
      const isQuiet = since !== undefined && since === line.freeSince;
      if (isQuiet && !stretch.isOver && !stretch.isShifted) end(line);
    }
  }

  async function restAside(line: Line): Promise<void> {
    resting += 1;
    await rest(line, line.stretch);
    resting -= 1;
  }

  function end(line: Line): void {
    line.stretch.isOver = true;
    if (line.stretch.answers > 0) line.former = line.stretch;
    line.stretch = newStretch();
  }

  return {
    take: () => {
      const at = free.findLastIndex(({ stretch }) => !stretch.isAwaited);
      const [line = open()] = at < 0 ? [] : free.splice(at, 1);
      line.isRested = line.freeSince !== undefined && quiet.isOver(line.freeSince);
      line.freeSince = undefined;
      return line.connection;
    },
    give: (connection) => {
      const line = lines.get(connection);
      if (line === undefined) return undefined;
      line.isBetween = true;
      line.freeSince = clock.monotonic();
      if (unasked === 0) {
        free.push(line);
        if (line.stretch.answers >= ANSWERS && resting < concurrency * RESTING) restAside(line);
        return undefined;
      }
      const { stretch } = line;
      return quiet.pass().then(() => {
        free.push(line);
        if (!stretch.isShifted) end(line);
        return !stretch.isShifted;
      });
    },
    distrust: () => {
      isTrusting = false;
    },
    drop,
    rest: async (stretches) => {
      const used = [...lines.values()].filter((line) => stretches.has(line.stretch));
      await Promise.all(used.map((line) => rest(line, line.stretch)));
    },
    unasked: () => unasked,
    close: async () => {
      quiet.close();
      await Promise.all([...lines.values()].map(({ client }) => client.destroy()));
    },
  };
}

function newStretch(): Going {
  return { isShifted: false, isOver: false, isAwaited: false, answers: 0 };
}
