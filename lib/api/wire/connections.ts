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

/** A stretch ends after this many answers. */
const ANSWERS = 16;
/** At most one connection in five rests for that. */
const RESTING = 1 / 4;

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
  let unasked = 0;
  let doubts = 0;
  let resting = 0;

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
        stretch: () => line.stretch,
        began: (ms) => {
          line.isBetween = false;
          line.stretch.answers += 1;
          quiet.took(ms);
        },
      },
      stretch: newStretch(),
      isBetween: true,
      freeSince: undefined,
    };
    lines.set(line.connection, line);
    return line;

    function connect(to: buildConnector.Options, done: buildConnector.Callback): void {
      connector(to, (...result) => {
        const [error, socket] = result;
        if (error !== null) return done(error, null);
        line.stretch = newStretch();
        line.isBetween = true;
        socket.on('error', ({ message, name }) => {
          // Undici says this about bytes that come without a call.
          const isUnasked = message === 'bad response' || (name === 'HTTPParserError' && line.isBetween);
          if (isUnasked) noteUnasked(line);
        });
        socket.on('close', () => {
          line.stretch.isOver = true;
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
  function noteUnasked({ stretch, freeSince }: Line): void {
    // A server without HTTP shifts nothing, nor does one that sends 408 before it ends an idle connection.
    const isLate = freeSince !== undefined && quiet.isLong(freeSince);
    if (isLate || stretch.answers === 0) return;
    unasked += 1;
    doubts += 1;
    stretch.isInDoubt = true;
    for (const line of free.splice(0)) rest(line, line.stretch).then(() => drop(line.connection));
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
      const at = free.findLastIndex(({ stretch }) => !stretch.isAwaited);
      const line = free.splice(at, at < 0 ? 0 : 1)[0] ?? open();
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
      if (unasked === 0) {
        free.push(line);
        if (line.stretch.answers >= ANSWERS && resting < concurrency * RESTING) restAside(line);
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
      quiet.close();
      await Promise.all([...lines.values()].map(({ client }) => client.destroy()));
    },
  };
}
