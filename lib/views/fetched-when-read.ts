import { copyFile, link, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DamagedTable } from '../lake/damaged-file.ts';
import type { Lake } from '../lake/lake.ts';
import { makeFolders } from '../make-folders.ts';

/** The files of a remote lake. A query that reads them fetches them. */
export interface FetchedWhenRead extends Pick<Lake, 'localPaths'> {
  /** Runs a step that reads them, again after each file that is not fetched yet. */
  reading<Result>(step: () => Promise<Result>): Promise<Result>;
}

/** A file that is not fetched yet: its name and its list. */
interface Waiting {
  readonly key: string;
  readonly list: List;
}

/** Files that were requested together: those of a table. */
interface List {
  /** In the order of reading. */
  readonly paths: readonly string[];
  /** How often one of them was missed. */
  missed: number;
}

/**
 * Each file but the first of a list is an empty one in `folder` until DuckDB opens it. DuckDB decides which
 * days a query reads, because it knows what dates a condition leaves. An empty file is not Parquet, so it
 * never reads as no rows. The first is fetched at once, because DuckDB plans by it.
 */
export function fetchedWhenRead(lake: Pick<Lake, 'localPaths'>, folder: string): FetchedWhenRead {
  const waiting = new Map<string, Waiting>();
  // A table and its days both name the newest file. Once fetched it may be the cache's own, which must not be emptied.
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

/** So many misses fetch only the missed file. A query of many more days must not begin again for each. */
const ALONE = 7;

/** How many files the next miss fetches: twice as many each time from the eighth on. */
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
