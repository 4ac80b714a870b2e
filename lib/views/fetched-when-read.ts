import { copyFile, link, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DamagedTable } from '../lake/damaged-file.ts';
import type { Lake } from '../lake/lake.ts';
import { makeFolders } from '../make-folders.ts';

/** The files of a remote lake, fetched when a query reads them. */
export interface FetchedWhenRead extends Pick<Lake, 'localPaths'> {
  /** Does what reads them, again for as long as it meets a file that is not fetched yet. */
  reading<Result>(step: () => Promise<Result>): Promise<Result>;
}

/** A file that is not fetched yet: what it is called, and in which list. */
interface Waiting {
  readonly key: string;
  readonly list: List;
}

/** Files that were asked for together: those of a table. */
interface List {
  /** In the order in which they are read. */
  readonly paths: readonly string[];
  /** How often one of them was missed. */
  missed: number;
}

/**
 * Each file but the first of a list is an empty one in `folder` until DuckDB opens it: which days a query reads is DuckDB's
 * to say, for it knows what dates a condition leaves. An empty file is no Parquet, so none is ever read as no rows. The
 * first is fetched at once, for DuckDB plans by it.
 */
export function fetchedWhenRead(lake: Pick<Lake, 'localPaths'>, folder: string): FetchedWhenRead {
  const waiting = new Map<string, Waiting>();
  // A table and its days name the newest file both. Once it is fetched it may be the cache's own: emptying it would empty that.
  const named = new Set<string>();
  const fetch = async (paths: readonly string[]) => {
    const known = paths.flatMap((path) => {
      const found = waiting.get(path);
      return found === undefined ? [] : [{ path, key: found.key }];
    });
    const copies = await lake.localPaths(known.map(({ key }) => key));
    for (const [index, { path }] of known.entries()) {
      await rm(path, { force: true });
      await linkOrCopy(copies[index] ?? '', path);
      waiting.delete(path);
    }
  };
  return {
    localPaths: async (keys) => {
      const paths = keys.map((key) => join(folder, key));
      const list = { paths, missed: 0 };
      for (const [index, path] of paths.entries()) {
        if (named.has(path)) continue;
        named.add(path);
        makeFolders(dirname(path));
        await writeFile(path, '');
        waiting.set(path, { key: keys[index] ?? '', list });
      }
      await fetch(paths.slice(0, 1));
      return paths;
    },
    reading: async (step) => {
      for (;;) {
        try {
          return await step();
        } catch (error) {
          if (!(error instanceof DamagedTable)) throw error;
          const list = waiting.get(error.path)?.list;
          if (list === undefined) throw error;
          const from = list.paths.indexOf(error.path);
          await fetch(list.paths.slice(from, from + fetchedFor(list.missed)));
          list.missed++;
        }
      }
    },
  };
}

/** Misses that fetch what was missed and no more; a query of many more days shall not begin again for each. */
const ALONE = 7;

/** How many files the next miss fetches: from the eighth on twice as many each time, so at most as many too many as were read. */
function fetchedFor(missed: number): number {
  return missed < ALONE ? 1 : 2 ** (missed - ALONE + 1);
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch {
    await copyFile(from, to);
  }
}
