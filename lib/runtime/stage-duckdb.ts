import { statfs } from 'node:fs/promises';
import { readStored } from '../lake/head.ts';
import { lakeKey } from '../lake/keys.ts';
import type { Lake, Scratch } from '../lake/lake.ts';
import { CELL_MACROS } from '../schema/cells/cell-macros.ts';
import { createDuckDb, type DuckDb, type DuckDbInstance, type DuckDbOptions, openDuckDb } from './duckdb.ts';
import type { Services, SharedDuckDb } from './services.ts';

/** DuckDB for one piece of work: a connection to the one that the process shares, or one of its own. */
export async function openStageDb(services: Services, scratch: Scratch): Promise<DuckDb> {
  return await (services.duckDb?.connect() ?? openDuckDb(await optionsOf(services, scratch)));
}

/** The DuckDB of a process that runs all stages of a lake. It opens at its first use, in 40 ms. */
export function sharedDuckDb(services: Services): SharedDuckDb & AsyncDisposable {
  const { lake } = services;
  let opened: Promise<{ readonly scratch: Scratch; readonly instance: DuckDbInstance }> | undefined;
  async function open() {
    const scratch = await lake.scratch();
    try {
      const options = await optionsOf(services, scratch);
      const threads = (await isSmall(lake)) ? 1 : options.threads;
      return { scratch, instance: await createDuckDb({ ...options, threads }) };
    } catch (error) {
      await scratch[Symbol.asyncDispose]();
      throw error;
    }
  }
  /** If an instance is closed while a connection is made, the process crashes. */
  const connecting = new Set<Promise<DuckDb>>();
  return {
    ...besideOrAlone(),
    connect: async () => {
      opened ??= open().catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
      const made = opened.then(({ instance }) => instance.connect());
      connecting.add(made);
      return await made.finally(() => connecting.delete(made));
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.allSettled(connecting);
      if (opened === undefined) return;
      const { scratch, instance } = await opened;
      instance[Symbol.dispose]();
      await scratch[Symbol.asyncDispose]();
    },
  };
}

/**
 * A lake whose newest day has fewer bytes (some 7,000 players) gets one thread. Of several threads one would work while
 * another waits busily: DuckDB gives each at least 122,880 rows.
 */
const SMALL_BYTES = 2 ** 20;

/** False for a lake without a commit, or with a head that does not say it. */
async function isSmall(lake: Lake): Promise<boolean> {
  const head = await readStored(lake, lakeKey('head')).catch(() => undefined);
  const sums = Object.values(head?.tables ?? {}).flatMap(({ newest }) => newest.sums ?? [`${SMALL_BYTES}`]);
  return sums.length > 0 && sums.reduce((sum, each) => sum + Number.parseInt(each, 10), 0) < SMALL_BYTES;
}

function besideOrAlone(): Pick<SharedDuckDb, 'beside' | 'alone'> {
  const going = new Set<Promise<unknown>>();
  /** The end of the last work that ran alone. */
  let last: Promise<unknown> = Promise.resolve();
  return {
    beside: async (work) => {
      for (let before: unknown; before !== last; ) {
        before = last;
        await before;
      }
      const own = work();
      going.add(own);
      return await own.finally(() => going.delete(own));
    },
    alone: async (work) => {
      const before = last;
      const own = (async () => {
        await before;
        await Promise.allSettled(going);
        return await work();
      })();
      last = own.catch(() => {});
      return await own;
    },
  };
}

async function optionsOf(services: Services, scratch: Scratch): Promise<DuckDbOptions> {
  const { lake, memoryLimitMiB, threads, spillLimitMiB = await spillRoom(scratch.path, services) } = services;
  const folders = [...lake.folders, scratch.path];
  return { memoryLimitMiB, threads, folders, spillTo: scratch.path, spillLimitMiB, macros: CELL_MACROS };
}

/**
 * MiB that may be spilled into a folder: half of the free space, because the lake or its files may be on that
 * disk. Undefined where that is less than the memory: such a disk counts as full without any spill.
 */
async function spillRoom(folder: string, { memoryLimitMiB }: Services): Promise<number | undefined> {
  const { bavail, bsize } = await statfs(folder);
  const half = Math.floor((bavail * bsize) / 2 ** 21);
  return half < memoryLimitMiB ? undefined : half;
}
