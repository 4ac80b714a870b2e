import type { buildConnector, Client as UndiciClient } from 'undici';
import connectorOf from 'undici/lib/core/connect.js';
// Not undici's index, which also loads fetch, mocks and caches: half a megabyte of each bundle.
import Client from 'undici/lib/dispatcher/client.js';
import type { Clock } from '../clock.ts';
import {
  type Connection,
  createQuietTime,
  endStretch,
  type Going,
  type Line,
  newStretch,
  type Stretch,
} from './line.ts';
import { throughProxy } from './proxy.ts';
import { watchSocket } from './watch-socket.ts';

/** The connections of a source; each has one call at a time. */
export type Connections = ReturnType<typeof createConnections>;

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
/** Servers close a connection after 100 or 1,000 answers: it rests before each hundredth. */
const ROUND = 100;
/** So many times as many connections as calls let each rest before its next call. */
const SPARE = 2;

/**
 * Opens no more connections than there are calls at once, and those that rest. With `pipelining` above 1
 * undici waits for one turn of the event loop, not two, before it reuses a connection. In that turn it finds
 * the bytes after the last answer, but not each end: see docs/decisions/speed.md.
 */
export function createConnections(
  origin: string,
  { connect: how, proxy, clock, concurrency, ...options }: ConnectionsOptions,
) {
  const lines = new Map<Connection, Line>();
  const free: Line[] = [];
  const connector = throughProxy(connectorOf(how), { proxy, timeoutMs: how.timeout ?? 0 });
  const quiet = createQuietTime(clock);
  let isTrusting = true;
  /** True: the server closes connections between calls, so each rests before its next call. */
  let isClosing = false;
  let isOver = false;
  let unasked = 0;
  let doubts = 0;
  let resting = 0;

  function open(): Line {
    const client = new Client(origin, { ...options, connect, pipelining: 2 });
    const line: Line = {
      client,
      connection: {
        dispatch: (call, handler) => {
          if (isTrusting && (!isClosing || line.isRested)) return client.dispatch(call, handler);
          quiet.pass(isClosing ? line.endedAt : Number.NEGATIVE_INFINITY).then(() => {
            line.isRested ||= isClosing && line.isBetween;
            client.dispatch(call, handler);
          });
          return true;
        },
        isProven: false,
        stretch: () => line.stretch,
        // By now undici has read everything that had come when the connection was taken.
        sent: () => {
          if (line.isRested) endStretch(line);
        },
        began: (ms) => {
          line.isBetween = false;
          line.stretch.answers += 1;
          line.answers += 1;
          quiet.took(ms);
        },
      },
      stretch: newStretch(),
      former: null,
      isBetween: true,
      freeSince: undefined,
      endedAt: Number.NEGATIVE_INFINITY,
      answers: 0,
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
        line.answers = 0;
        watchSocket(socket, {
          isBetween: () => line.isBetween,
          onUnasked: () => noteUnasked(line),
          onClose: (isInformed) => {
            if (!isInformed) noteClosed(line);
            line.stretch.isOver = true;
            line.endedAt = Number.NEGATIVE_INFINITY;
          },
        });
        if (unasked === 0) return done(null, socket);
        quiet.pass().then(() => {
          if (socket.readableLength === 0) return done(null, socket);
          socket.destroy();
          done(new Error('the server sent bytes before any request'), null);
        });
      });
    }
  }

  /** From now on calls get new connections, and each must be idle for a round trip before another call. */
  function noteUnasked({ stretch, former, freeSince }: Line): void {
    // A server without HTTP shifts nothing, nor does one that sends 408 before it ends an idle connection.
    const isLate = freeSince !== undefined && quiet.isLong(freeSince);
    if (isLate || (stretch.answers === 0 && former === null)) return;
    unasked += 1;
    doubt(stretch);
    if (former !== null) doubt(former);
    for (const line of free.splice(0)) rest(line, line.stretch).then(() => drop(line.connection));
  }

  function doubt(stretch: Going): void {
    stretch.isInDoubt = true;
    doubts += 1;
  }

  /** The last of several answers without a rest may be that to the call before, and hide an extra one. */
  function noteClosed({ stretch, isBetween, endedAt }: Line): void {
    const isProven = stretch.answers < 2 || stretch.isInDoubt || (isBetween && quiet.isOver(endedAt));
    if (isProven || isOver) return;
    doubt(stretch);
    isClosing = true;
  }

  /** A connection without a call; after a server closed one, it must have rested, if others can be opened. */
  function nextFree(): Line | undefined {
    const isIdle = ({ stretch }: Line) => !stretch.isAwaited;
    const at = free.findLastIndex((line) => isIdle(line) && (!isClosing || quiet.isOver(line.endedAt)));
    const least = at < 0 && lines.size >= concurrency * SPARE ? free.findIndex(isIdle) : at;
    return least < 0 ? undefined : free.splice(least, 1)[0];
  }

  function drop(connection: Connection): void {
    const line = lines.get(connection);
    lines.delete(connection);
    line?.client.destroy().catch(() => {});
  }

  async function rest(line: Line, stretch: Going): Promise<void> {
    stretch.isAwaited = true;
    while (!stretch.isOver && !stretch.isInDoubt) {
      const since = line.freeSince;
      await quiet.pass(since);
      const isQuiet = since !== undefined && since === line.freeSince;
      if (isQuiet && !stretch.isOver && !stretch.isInDoubt) endStretch(line);
    }
  }

  async function restAside(line: Line): Promise<void> {
    resting += 1;
    await rest(line, line.stretch);
    resting -= 1;
  }

  return {
    /** Returns a connection without a call, an open one if possible. The caller returns it or drops it. */
    take: (): Connection => {
      const line = nextFree() ?? open();
      line.isRested = line.freeSince !== undefined && quiet.isOver(line.endedAt);
      line.freeSince = undefined;
      return line.connection;
    },
    /**
     * Takes a connection back for the next call. After the first answer without a call, it must first be idle
     * for a round trip. Then the promise says if it was. Undefined before.
     */
    give: (connection: Connection): Promise<boolean> | undefined => {
      const line = lines.get(connection);
      if (line === undefined) return undefined;
      line.isBetween = true;
      line.freeSince = clock.monotonic();
      line.endedAt = line.freeSince;
      if (unasked === 0) {
        free.push(line);
        const isDue = line.stretch.answers >= ANSWERS && resting < concurrency * RESTING;
        if (isDue || line.answers % ROUND === ROUND - 1) restAside(line);
        return undefined;
      }
      const { stretch } = line;
      return quiet.pass().then(() => {
        free.push(line);
        if (!stretch.isInDoubt) endStretch(line);
        return !stretch.isInDoubt;
      });
    },
    /** Call it if the server closes promised connections: each is then checked for longer before use. */
    distrust: (): void => {
      isTrusting = false;
    },
    /** Ends a connection that cannot be made. */
    drop,
    /** Waits until each socket of these stretches has been idle for a round trip, or is closed. */
    rest: async (stretches: ReadonlySet<Stretch>): Promise<void> => {
      const used = [...lines.values()].filter((line) => stretches.has(line.stretch));
      await Promise.all(used.map((line) => rest(line, line.stretch)));
    },
    /** How many answers came without a call. */
    unasked: (): number => unasked,
    /** How many stretches are in doubt. */
    doubts: (): number => doubts,
    close: async (): Promise<void> => {
      isOver = true;
      quiet.close();
      await Promise.all([...lines.values()].map(({ client }) => client.destroy()));
    },
  };
}
